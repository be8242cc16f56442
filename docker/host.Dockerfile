# The pane host, with the coding CLIs that its panes run.
#
#   docker build -f docker/host.Dockerfile --build-arg CLIS="@anthropic-ai/claude-code" .
ARG RUST=rust:1.95-bookworm
ARG NODE=node:22-bookworm-slim

FROM ${RUST} AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked --package host

FROM ${NODE}
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
       bash ca-certificates curl git less openssh-client procps ripgrep vim-tiny \
    && rm -rf /var/lib/apt/lists/*
# npm packages to install for everybody: CLIs that panes can start.
ARG CLIS=""
RUN if [ -n "${CLIS}" ]; then npm install --global --no-audit --no-fund ${CLIS}; fi
# 10003 is the group that core and host alone share: the link's folder is theirs.
RUN groupadd --gid 10003 glasshouse-link \
    && useradd --uid 10001 --user-group --groups glasshouse-link --create-home \
       --shell /bin/bash panes \
    && install -d -o 10001 -g 10003 -m 2750 /run/glasshouse \
    && install -d -o 10001 -g 10001 -m 0700 /var/lib/glasshouse-host \
    && install -d -o 10001 -g 10001 -m 0755 /workspace
COPY --from=build /src/target/release/glasshouse-host /usr/local/bin/
USER 10001
ENV SHELL=/bin/bash LANG=C.UTF-8
WORKDIR /workspace
ENTRYPOINT ["glasshouse-host"]
CMD ["--run-dir", "/run/glasshouse", "--state-dir", "/var/lib/glasshouse-host", \
     "--secret-file", "/run/secrets/link_secret", "--allow-uid", "10002", "--socket-group", "10003"]
