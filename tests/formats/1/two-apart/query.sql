-- A release in two tables, for SQLite and PostgreSQL. Load it first, in its folder:
--   sqlite3 release.db < load.sqlite     then  sqlite3 release.db < query.sql
--   psql -f load.psql                    then  psql -f query.sql
--
-- Each row of each table is one record of the original. Which rows of a class
-- belong together is not published: a join of the tables is not the original.

CREATE TABLE IF NOT EXISTS "quasi" (
    "age" BIGINT,
    "city" TEXT,
    "class" BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS "sensitive" (
    "class" BIGINT NOT NULL,
    "disease" TEXT,
    "ward" TEXT
);

-- What an earlier run has left.
DROP VIEW IF EXISTS "answer";
DROP VIEW IF EXISTS "matching_sensitive";
DROP VIEW IF EXISTS "matching_quasi";
DROP VIEW IF EXISTS "bags";
DROP VIEW IF EXISTS "classes";

-- The classes, and how many records each has.
CREATE VIEW "classes" AS
SELECT "class", COUNT(*) AS "size" FROM "sensitive" GROUP BY "class";

-- The bag of each class: its sensitive values, and how many records have them.
CREATE VIEW "bags" AS
SELECT "class", "disease", "ward", COUNT(*) AS "records" FROM "sensitive" GROUP BY "class", "disease", "ward";

-- A query is a condition on quasi and other columns and one on sensitive columns. Put your
-- own in the place of these two, which ask for the most frequent values.
CREATE VIEW "matching_quasi" AS
SELECT "class", COUNT(*) AS "matching" FROM "quasi"
WHERE "age" IN (
    SELECT "age" FROM "quasi" WHERE "age" IS NOT NULL GROUP BY "age"
    HAVING COUNT(*) = (SELECT MAX("n") FROM (
        SELECT COUNT(*) AS "n" FROM "quasi" WHERE "age" IS NOT NULL GROUP BY "age") AS "t"))
GROUP BY "class";

CREATE VIEW "matching_sensitive" AS
SELECT "class", COUNT(*) AS "matching" FROM "sensitive"
WHERE "disease" IN (
    SELECT "disease" FROM "sensitive" WHERE "disease" IS NOT NULL GROUP BY "disease"
    HAVING COUNT(*) = (SELECT MAX("n") FROM (
        SELECT COUNT(*) AS "n" FROM "sensitive" WHERE "disease" IS NOT NULL GROUP BY "disease") AS "t"))
GROUP BY "class";

-- How many records satisfy both. Of a class of n records, q of which satisfy the one and s the
-- other, q * s / n do on average over all ways in which the rows may belong together; at least
-- q + s - n and at most the smaller of q and s do in any of them. Records of the original
-- that are not in the release (0) are not counted.
CREATE VIEW "answer" AS
SELECT
    COALESCE(SUM(CAST("q"."matching" * "s"."matching" AS DOUBLE PRECISION)
        / "c"."size"), 0) AS "estimate",
    COALESCE(SUM(CASE WHEN "q"."matching" + "s"."matching" > "c"."size"
        THEN "q"."matching" + "s"."matching" - "c"."size" ELSE 0 END), 0) AS "lower",
    COALESCE(SUM(CASE WHEN "q"."matching" < "s"."matching"
        THEN "q"."matching" ELSE "s"."matching" END), 0) AS "upper"
FROM "matching_quasi" AS "q"
JOIN "matching_sensitive" AS "s" ON "s"."class" = "q"."class"
JOIN "classes" AS "c" ON "c"."class" = "q"."class";

SELECT COUNT(*) AS "classes", MIN("size") AS "smallest", MAX("size") AS "largest"
FROM "classes";

SELECT "estimate", "lower", "upper" FROM "answer";
