-- A release of the form "distribution", for SQLite and PostgreSQL. Load it first, in its folder:
--   sqlite3 release.db < load.sqlite     then  sqlite3 release.db < query.sql
--   psql -f load.psql                    then  psql -f query.sql
--
-- Each row of "quasi" is one record of the original. Each record's sensitive value lies in one of
-- the parts of the domain that "sensitive" lists for its group; which one is not published.

CREATE TABLE IF NOT EXISTS "quasi" (
    "age" BIGINT,
    "city" TEXT,
    "ward" TEXT,
    "group" BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS "sensitive" (
    "group" BIGINT NOT NULL,
    "disease" TEXT
);

-- What an earlier run has left.
DROP VIEW IF EXISTS "count_answer";
DROP VIEW IF EXISTS "may_fail";
DROP VIEW IF EXISTS "may_satisfy";
DROP VIEW IF EXISTS "matching";

-- A query selects records by a condition on quasi and other columns. Put your own in the place of
-- this one, which asks for the most frequent value.
CREATE VIEW "matching" AS
SELECT "group", COUNT(*) AS "selected" FROM "quasi"
WHERE "age" IN (
    SELECT "age" FROM "quasi" WHERE "age" IS NOT NULL GROUP BY "age"
    HAVING COUNT(*) = (SELECT MAX("n") FROM (
        SELECT COUNT(*) AS "n" FROM "quasi" WHERE "age" IS NOT NULL GROUP BY "age") AS "t"))
GROUP BY "group";

-- How many of the selected records also satisfy a condition on the sensitive value. Say in the
-- place of these which labels stand for values that satisfy it, and which for values that do not;
-- the manifest has the tree. These know nothing of it, and so leave everything open.
CREATE VIEW "may_satisfy" AS
SELECT "group", COUNT(*) AS "parts" FROM "sensitive" GROUP BY "group";

CREATE VIEW "may_fail" AS
SELECT "group", COUNT(*) AS "parts" FROM "sensitive" GROUP BY "group";

-- Of c records, at least those satisfy it for which no part is left that may fail, and at most as
-- many as there are parts that may satisfy it. Records of the original
-- that are not in the release (0) are not counted.
CREATE VIEW "count_answer" AS
SELECT
    COALESCE(SUM(CASE WHEN "m"."selected" > COALESCE("f"."parts", 0)
        THEN "m"."selected" - COALESCE("f"."parts", 0) ELSE 0 END), 0) AS "lower",
    COALESCE(SUM(CASE WHEN "m"."selected" < COALESCE("s"."parts", 0)
        THEN "m"."selected" ELSE COALESCE("s"."parts", 0) END), 0) AS "upper"
FROM "matching" AS "m"
LEFT JOIN "may_satisfy" AS "s" ON "s"."group" = "m"."group"
LEFT JOIN "may_fail" AS "f" ON "f"."group" = "m"."group";

SELECT "lower", "upper" FROM "count_answer";
