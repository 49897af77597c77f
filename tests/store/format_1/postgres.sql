SELECT pg_catalog.set_config('search_path', '', false);
CREATE SCHEMA format_1;
CREATE TABLE format_1.approval (
    id text NOT NULL COLLATE pg_catalog."C",
    project text NOT NULL COLLATE pg_catalog."C",
    permission text NOT NULL COLLATE pg_catalog."C",
    pattern text NOT NULL COLLATE pg_catalog."C",
    "time" double precision NOT NULL
);
CREATE TABLE format_1.event_batch (
    session text NOT NULL COLLATE pg_catalog."C",
    first_seq bigint NOT NULL,
    last_seq bigint NOT NULL,
    body bytea NOT NULL
);
CREATE TABLE format_1.exchange (
    pos bigint NOT NULL,
    session text NOT NULL COLLATE pg_catalog."C",
    body text NOT NULL
);
ALTER TABLE format_1.exchange ALTER COLUMN pos ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME format_1.exchange_pos_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE format_1.format (
    version integer NOT NULL
);
CREATE TABLE format_1.lease (
    session text NOT NULL COLLATE pg_catalog."C",
    worker bigint NOT NULL
);
CREATE TABLE format_1.message (
    pos bigint NOT NULL,
    session text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    parent_id text COLLATE pg_catalog."C",
    keeps_from text COLLATE pg_catalog."C",
    "time" double precision NOT NULL,
    body text NOT NULL
);
ALTER TABLE format_1.message ALTER COLUMN pos ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME format_1.message_pos_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE format_1.session (
    key bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL,
    folder text NOT NULL,
    updated double precision NOT NULL,
    worker bigint,
    body text NOT NULL
);
ALTER TABLE format_1.session ALTER COLUMN key ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME format_1.session_key_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
INSERT INTO format_1.approval VALUES ('apr_1', '/home/anna/wiki', 'bash', 'ls *', 1);
INSERT INTO format_1.approval VALUES ('apr_2', '/home/anna/wiki', 'edit', '*', 2);
INSERT INTO format_1.approval VALUES ('apr_3', '/other', 'bash', 'ls *', 3);
INSERT INTO format_1.event_batch VALUES ('s1', 1, 3, '\x7b2274797065223a226d6573736167655f757064617465222c22736571223a312c2273657373696f6e5f6964223a227331222c2274696d65223a312e302c226d6573736167655f6964223a2262222c2270617274223a302c226b696e64223a2274657874222c2274657874223a22616e20227d0a7b2274797065223a226d6573736167655f757064617465222c22736571223a322c2273657373696f6e5f6964223a227331222c2274696d65223a312e302c226d6573736167655f6964223a2262222c2270617274223a302c226b696e64223a2274657874222c2274657874223a22616e73776572227d0a7b2274797065223a22736574746c6564222c22736571223a332c2273657373696f6e5f6964223a227331222c2274696d65223a322e307d0a');
INSERT INTO format_1.event_batch VALUES ('s2', 1, 3, '\x7b2274797065223a226d6573736167655f757064617465222c22736571223a312c2273657373696f6e5f6964223a227332222c2274696d65223a312e302c226d6573736167655f6964223a2262222c2270617274223a302c226b696e64223a2274657874222c2274657874223a22616e20227d0a7b2274797065223a226d6573736167655f757064617465222c22736571223a322c2273657373696f6e5f6964223a227332222c2274696d65223a312e302c226d6573736167655f6964223a2262222c2270617274223a302c226b696e64223a2274657874222c2274657874223a22616e73776572227d0a7b2274797065223a22736574746c6564222c22736571223a332c2273657373696f6e5f6964223a227332222c2274696d65223a322e307d0a');
INSERT INTO format_1.exchange OVERRIDING SYSTEM VALUE VALUES (1, 's1', '{"message_id":"b","url":"http://localhost","status":200,"sent_at":1.0,"first_byte_at":2.0,"ended_at":3.0,"sent_bytes":4,"received_bytes":5,"sent":"sent","received":"received"}');
INSERT INTO format_1.exchange OVERRIDING SYSTEM VALUE VALUES (2, 's2', '{"message_id":"b","url":"http://localhost","status":200,"sent_at":1.0,"first_byte_at":2.0,"ended_at":3.0,"sent_bytes":4,"received_bytes":5,"sent":"sent","received":"received"}');
INSERT INTO format_1.format VALUES (1);
INSERT INTO format_1.message OVERRIDING SYSTEM VALUE VALUES (1, 's1', 'a', NULL, NULL, 1, '{"id":"a","role":"user","parts":[{"type":"text","text":"a needle of 1"}],"time":1.0}');
INSERT INTO format_1.message OVERRIDING SYSTEM VALUE VALUES (2, 's1', 'b', 'a', NULL, 2, '{"id":"b","role":"assistant","parts":[{"type":"text","text":"an answer"}],"parent_id":"a","time":2.0}');
INSERT INTO format_1.message OVERRIDING SYSTEM VALUE VALUES (3, 's2', 'a', NULL, NULL, 1, '{"id":"a","role":"user","parts":[{"type":"text","text":"a needle of 2"}],"time":1.0}');
INSERT INTO format_1.message OVERRIDING SYSTEM VALUE VALUES (4, 's2', 'b', 'a', NULL, 2, '{"id":"b","role":"assistant","parts":[{"type":"text","text":"an answer"}],"parent_id":"a","time":2.0}');
INSERT INTO format_1.session OVERRIDING SYSTEM VALUE VALUES (1, 's1', 'Title 1', '/home/anna/wiki', 1, NULL, '{"id":"s1","title":"Title 1","folder":"/home/anna/wiki","created":1.0,"updated":1.0,"head":"b","seq":3,"usage":{"input":5,"output":7}}');
INSERT INTO format_1.session OVERRIDING SYSTEM VALUE VALUES (2, 's2', 'Title 2', '/home/anna/wiki', 2, NULL, '{"id":"s2","title":"Title 2","folder":"/home/anna/wiki","created":1.0,"updated":2.0,"head":"b","seq":3,"usage":{"input":5,"output":7}}');
SELECT pg_catalog.setval('format_1.exchange_pos_seq', 2, true);
SELECT pg_catalog.setval('format_1.message_pos_seq', 4, true);
SELECT pg_catalog.setval('format_1.session_key_seq', 2, true);
ALTER TABLE ONLY format_1.approval
    ADD CONSTRAINT approval_pkey PRIMARY KEY (id);
ALTER TABLE ONLY format_1.approval
    ADD CONSTRAINT approval_project_permission_pattern_key UNIQUE (project, permission, pattern);
ALTER TABLE ONLY format_1.event_batch
    ADD CONSTRAINT event_batch_pkey PRIMARY KEY (session, last_seq);
ALTER TABLE ONLY format_1.exchange
    ADD CONSTRAINT exchange_pkey PRIMARY KEY (pos);
ALTER TABLE ONLY format_1.lease
    ADD CONSTRAINT lease_pkey PRIMARY KEY (session);
ALTER TABLE ONLY format_1.message
    ADD CONSTRAINT message_pkey PRIMARY KEY (pos);
ALTER TABLE ONLY format_1.message
    ADD CONSTRAINT message_session_id_key UNIQUE (session, id);
ALTER TABLE ONLY format_1.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);
CREATE INDEX exchange_session ON format_1.exchange USING btree (session, pos);
CREATE INDEX message_session ON format_1.message USING btree (session, pos);
CREATE INDEX message_time ON format_1.message USING btree ("time", pos);
CREATE INDEX session_updated ON format_1.session USING btree (updated, key);
