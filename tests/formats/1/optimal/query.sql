-- A release of the form "distribution", for SQLite and PostgreSQL. Load it first, in its folder:
--   sqlite3 release.db < load.sqlite     then  sqlite3 release.db < query.sql
--   psql -f load.psql                    then  psql -f query.sql
--
-- Each row of "quasi" is one record of the original. Each record's sensitive value lies in one of
-- the parts of the domain that "sensitive" lists for its group; which one is not published.

CREATE TABLE IF NOT EXISTS "quasi" (
    "city" TEXT,
    "ward" TEXT,
    "group" BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS "sensitive" (
    "group" BIGINT NOT NULL,
    "low" DECIMAL(19,1),
    "high" DECIMAL(19,1)
);

CREATE TABLE IF NOT EXISTS "bounds" (
    "group" BIGINT NOT NULL,
    "selected" BIGINT NOT NULL,
    "until" BIGINT NOT NULL,
    "sum_low" DECIMAL(38,1),
    "sum_high" DECIMAL(38,1),
    "min_low" DECIMAL(19,1),
    "min_high" DECIMAL(19,1),
    "max_low" DECIMAL(19,1),
    "max_high" DECIMAL(19,1)
);

-- What an earlier run has left.
DROP VIEW IF EXISTS "count_answer";
DROP VIEW IF EXISTS "may_fail";
DROP VIEW IF EXISTS "may_satisfy";
DROP VIEW IF EXISTS "answer";
DROP VIEW IF EXISTS "matching_bounds";
DROP VIEW IF EXISTS "matching";

-- A query selects records by a condition on quasi and other columns. Put your own in the place of
-- this one, which asks for the most frequent value.
CREATE VIEW "matching" AS
SELECT "group", COUNT(*) AS "selected" FROM "quasi"
WHERE "city" IN (
    SELECT "city" FROM "quasi" WHERE "city" IS NOT NULL GROUP BY "city"
    HAVING COUNT(*) = (SELECT MAX("n") FROM (
        SELECT COUNT(*) AS "n" FROM "quasi" WHERE "city" IS NOT NULL GROUP BY "city") AS "t"))
GROUP BY "group";

-- The bounds for so many records of each group. A row of "bounds" is for all numbers of records
-- from "selected" to "until": with each further record the lower bound of the sum grows by
-- "max_low" and the upper one by "min_high", and the others stay.
CREATE VIEW "matching_bounds" AS
SELECT "m"."group", "m"."selected",
    "b"."sum_low" + ("m"."selected" - "b"."selected") * "b"."max_low" AS "sum_low",
    "b"."sum_high" + ("m"."selected" - "b"."selected") * "b"."min_high" AS "sum_high",
    "b"."min_low", "b"."min_high", "b"."max_low", "b"."max_high"
FROM "matching" AS "m"
JOIN "bounds" AS "b" ON "b"."group" = "m"."group" AND "m"."selected" BETWEEN "b"."selected" AND "b"."until";

-- The answers: over the selected records of all groups the true ones lie between these.
CREATE VIEW "answer" AS
SELECT COALESCE(SUM("selected"), 0) AS "records",
    SUM("sum_low") AS "sum_low", SUM("sum_high") AS "sum_high",
    CAST(SUM("sum_low") AS DOUBLE PRECISION) / SUM("selected") AS "avg_low",
    CAST(SUM("sum_high") AS DOUBLE PRECISION) / SUM("selected") AS "avg_high",
    MIN("min_low") AS "min_low", MIN("min_high") AS "min_high",
    MAX("max_low") AS "max_low", MAX("max_high") AS "max_high"
FROM "matching_bounds";

-- How many of the selected records also satisfy a condition on the sensitive value. Say in the
-- place of these which parts may hold a value that satisfies it, and which one that does not; here:
-- at least the greatest "low" that there is.
CREATE VIEW "may_satisfy" AS
SELECT "group", COUNT(*) AS "parts" FROM "sensitive"
WHERE "high" >= (SELECT MAX("low") FROM "sensitive") GROUP BY "group";

CREATE VIEW "may_fail" AS
SELECT "group", COUNT(*) AS "parts" FROM "sensitive"
WHERE "low" < (SELECT MAX("low") FROM "sensitive") GROUP BY "group";

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

SELECT "records", "sum_low", "sum_high", "avg_low", "avg_high", "min_low", "min_high", "max_low",
    "max_high" FROM "answer";

SELECT "lower", "upper" FROM "count_answer";
