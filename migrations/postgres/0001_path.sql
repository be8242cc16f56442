-- What a store is and who it serves. Keys: 'store' (its UUID).
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE person (
    id UUID PRIMARY KEY,
    name TEXT NOT NULL,
    owner SMALLINT NOT NULL CHECK (owner IN (0, 1)),
    created_ms BIGINT NOT NULL
);
-- One owner, whoever opens the store first.
CREATE UNIQUE INDEX person_one_owner ON person (owner) WHERE owner = 1;

-- A token of a sign-in address: redeemed by deleting it. Only its SHA-256 is kept.
CREATE TABLE signin_token (
    hash BYTEA PRIMARY KEY CHECK (length(hash) = 32),
    person UUID NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    created_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL
);

-- What a cookie stands for. Only the SHA-256 of its token is kept.
CREATE TABLE signin (
    id UUID PRIMARY KEY,
    hash BYTEA NOT NULL UNIQUE CHECK (length(hash) = 32),
    person UUID NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    created_ms BIGINT NOT NULL,
    seen_ms BIGINT NOT NULL,
    revoked_ms BIGINT
);
CREATE INDEX signin_person ON signin (person);

CREATE TABLE folder (
    id UUID PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    created_ms BIGINT NOT NULL
);

-- A slot is NULL only inside the transaction that moves a room.
CREATE TABLE room (
    id UUID PRIMARY KEY,
    slot SMALLINT UNIQUE CHECK (slot BETWEEN 0 AND 15),
    name TEXT NOT NULL,
    folder TEXT NOT NULL,
    layout TEXT,
    version INTEGER NOT NULL DEFAULT 0,
    created_ms BIGINT NOT NULL
);

CREATE TABLE pane (
    id UUID PRIMARY KEY,
    room UUID NOT NULL REFERENCES room (id) ON DELETE CASCADE,
    slot SMALLINT NOT NULL CHECK (slot BETWEEN 0 AND 15),
    name TEXT NOT NULL,
    profile TEXT NOT NULL,
    command TEXT,
    args TEXT NOT NULL,
    cwd TEXT NOT NULL,
    -- The session it shows. No foreign key: each would need the other first.
    session UUID,
    created_ms BIGINT NOT NULL,
    UNIQUE (room, slot)
);

-- A session outlives its pane: no foreign key to it, and a copy of what it ran.
CREATE TABLE session (
    id UUID PRIMARY KEY,
    pane UUID NOT NULL,
    host UUID NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('starting', 'running', 'exited', 'lost')),
    exit_code INTEGER,
    exit_signal INTEGER,
    name TEXT NOT NULL,
    profile TEXT NOT NULL,
    command TEXT,
    args TEXT NOT NULL,
    cwd TEXT NOT NULL,
    cols SMALLINT NOT NULL,
    rows SMALLINT NOT NULL,
    title TEXT,
    started_ms BIGINT NOT NULL,
    ended_ms BIGINT,
    -- How far it is recorded: an offset in its output, and the last mark.
    durable BIGINT NOT NULL DEFAULT 0,
    mark BIGINT NOT NULL DEFAULT 0,
    -- Which recorder may write, and what kind of string or key block `durable` lies in.
    recorder INTEGER NOT NULL DEFAULT 0,
    redact_state SMALLINT NOT NULL DEFAULT 0
);
CREATE INDEX session_pane ON session (pane, started_ms);
CREATE INDEX session_alive ON session (state) WHERE state IN ('starting', 'running');

-- The record: redacted bytes of a stretch of output. Rows and gaps together tile 0..durable.
CREATE TABLE transcript (
    session UUID NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    from_seq BIGINT NOT NULL,
    to_seq BIGINT NOT NULL CHECK (to_seq > from_seq),
    at_ms BIGINT NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (session, from_seq)
);
-- Rows are written once at the rate of the output: PostgreSQL's own compression would be the
-- slowest step of the way.
ALTER TABLE transcript ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- A stretch of output that was not kept.
CREATE TABLE gap (
    session UUID NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    from_seq BIGINT NOT NULL,
    to_seq BIGINT NOT NULL CHECK (to_seq > from_seq),
    at_ms BIGINT NOT NULL,
    why TEXT NOT NULL,
    PRIMARY KEY (session, from_seq)
);

-- The host's marks: start, resize, exit, gap.
CREATE TABLE event (
    session UUID NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    n BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (session, n)
);
