import { type Kysely, sql } from 'kysely'

/**
 * Replaces the choice of query grams (`search_marks` of `20261122020000-search-joints.ts`).
 *
 * The grams at both ends of the text are always chosen. A rare query often is a frequent phrase with something before or
 * after it (`official music video b`), and only the grams at that end are rare.
 *
 * At most five grams are chosen instead of six; a word-boundary gram counts as two trigrams. Reading the posting list of a
 * gram that most videos contain takes 2 ms at a million videos. A query of such grams alone takes half as long with five
 * as with six (measured).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // `search_spread` returns at most `most` of the positions 1 to `total`, evenly spread, last position first. Both ends are
  // included; with `most` = 1 only the last.
  await sql`
    create or replace function search_spread(total integer, most integer) returns setof integer
    language sql immutable parallel safe strict as $$
      select total - nth * (total - 1) / greatest(1, least(total, most) - 1)
      from generate_series(0, least(total, most) - 1) nth
    $$`.execute(db)
  await sql`
    create or replace function search_marks(query text) returns bigint[]
    language plpgsql immutable parallel safe strict as $$
    declare
      chars text[] := string_to_array(query, null);
      words text[] := string_to_array(query, ' ');
      joints bigint[];
    begin
      joints := array(
        select hashtextextended(right(word, 2) || left(next, 2), 0)
        from unnest(words, words[2:]) with ordinality as pair(word, next, place)
        where length(word) > 1 and length(next) > 1 order by place
      );
      joints := array(select joints[place] from search_spread(cardinality(joints), 3) place);
      return joints || array(
        select (ascii(chars[place])::bigint << 42) | (coalesce(ascii(chars[place + 1]), 0)::bigint << 21)
          | coalesce(ascii(chars[place + 2]), 0)
        from search_spread(
          least(cardinality(chars), greatest(1, cardinality(chars) - 2)), greatest(2, 5 - 2 * cardinality(joints))
        ) place
      );
    end $$`.execute(db)
}
