# The core: the page, the API and the record. It opens no PTY and mounts no homes.
ARG RUST=rust:1.95-bookworm
ARG NODE=node:22-bookworm-slim
ARG DEBIAN=debian:bookworm-slim

FROM ${NODE} AS page
WORKDIR /src/web
COPY web/package.json web/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY web ./
RUN npm run build

FROM ${RUST} AS build
WORKDIR /src
COPY . .
COPY --from=page /src/web/dist web/dist
RUN cargo build --release --locked --package app

FROM ${DEBIAN}
RUN groupadd --gid 10003 glasshouse-link \
    && useradd --uid 10002 --user-group --groups glasshouse-link --no-create-home \
       --home-dir /var/lib/glasshouse --shell /usr/sbin/nologin core \
    && install -d -o 10002 -g 10002 -m 0700 /var/lib/glasshouse
COPY --from=build /src/target/release/glasshouse /usr/local/bin/
USER 10002
WORKDIR /var/lib/glasshouse
EXPOSE 4911
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["glasshouse", "health", "--url", "http://127.0.0.1:4911"]
ENTRYPOINT ["glasshouse"]
CMD ["serve", "--listen", "0.0.0.0:4911", "--data", "/var/lib/glasshouse", \
     "--host", "unix:/run/glasshouse/host.sock"]
