-- What a store is and who it serves. Keys: 'store' (its UUID).
CREATE TABLE meta (
    key TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
);

CREATE TABLE person (
    id BLOB PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    owner INTEGER NOT NULL CHECK (owner IN (0, 1)),
    created_ms INTEGER NOT NULL
);
-- One owner, whoever opens the store first.
CREATE UNIQUE INDEX person_one_owner ON person (owner) WHERE owner = 1;

-- A token of a sign-in address: redeemed by deleting it. Only its SHA-256 is kept.
CREATE TABLE signin_token (
    hash BLOB PRIMARY KEY NOT NULL CHECK (length(hash) = 32),
    person BLOB NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL
);

-- What a cookie stands for. Only the SHA-256 of its token is kept.
CREATE TABLE signin (
    id BLOB PRIMARY KEY NOT NULL,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    person BLOB NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    created_ms INTEGER NOT NULL,
    seen_ms INTEGER NOT NULL,
    revoked_ms INTEGER
);
CREATE INDEX signin_person ON signin (person);

CREATE TABLE folder (
    id BLOB PRIMARY KEY NOT NULL,
    path TEXT NOT NULL UNIQUE,
    created_ms INTEGER NOT NULL
);

-- A slot is NULL only inside the transaction that moves a room.
CREATE TABLE room (
    id BLOB PRIMARY KEY NOT NULL,
    slot INTEGER UNIQUE CHECK (slot BETWEEN 0 AND 15),
    name TEXT NOT NULL,
    folder TEXT NOT NULL,
    layout TEXT,
    version INTEGER NOT NULL DEFAULT 0,
    created_ms INTEGER NOT NULL
);

CREATE TABLE pane (
    id BLOB PRIMARY KEY NOT NULL,
    room BLOB NOT NULL REFERENCES room (id) ON DELETE CASCADE,
    slot INTEGER NOT NULL CHECK (slot BETWEEN 0 AND 15),
    name TEXT NOT NULL,
    profile TEXT NOT NULL,
    command TEXT,
    args TEXT NOT NULL,
    cwd TEXT NOT NULL,
    -- The session it shows. No foreign key: each would need the other first.
    session BLOB,
    created_ms INTEGER NOT NULL,
    UNIQUE (room, slot)
);

-- A session outlives its pane: no foreign key to it, and a copy of what it ran.
CREATE TABLE session (
    id BLOB PRIMARY KEY NOT NULL,
    pane BLOB NOT NULL,
    host BLOB NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('starting', 'running', 'exited', 'lost')),
    exit_code INTEGER,
    exit_signal INTEGER,
    name TEXT NOT NULL,
    profile TEXT NOT NULL,
    command TEXT,
    args TEXT NOT NULL,
    cwd TEXT NOT NULL,
    cols INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    title TEXT,
    started_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    -- How far it is recorded: an offset in its output, and the last mark.
    durable INTEGER NOT NULL DEFAULT 0,
    mark INTEGER NOT NULL DEFAULT 0,
    -- Which recorder may write, and what kind of string or key block `durable` lies in.
    recorder INTEGER NOT NULL DEFAULT 0,
    redact_state INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX session_pane ON session (pane, started_ms);
CREATE INDEX session_alive ON session (state) WHERE state IN ('starting', 'running');

-- The record: redacted bytes of a stretch of output. Rows and gaps together tile 0..durable.
CREATE TABLE transcript (
    session BLOB NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    from_seq INTEGER NOT NULL,
    to_seq INTEGER NOT NULL CHECK (to_seq > from_seq),
    at_ms INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (session, from_seq)
);

-- A stretch of output that was not kept.
CREATE TABLE gap (
    session BLOB NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    from_seq INTEGER NOT NULL,
    to_seq INTEGER NOT NULL CHECK (to_seq > from_seq),
    at_ms INTEGER NOT NULL,
    why TEXT NOT NULL,
    PRIMARY KEY (session, from_seq)
);

-- The host's marks: start, resize, exit, gap.
CREATE TABLE event (
    session BLOB NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (session, n)
);
