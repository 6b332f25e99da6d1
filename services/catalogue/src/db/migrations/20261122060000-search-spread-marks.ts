import { type Kysely, sql } from 'kysely'

/**
 * Marks as before (`20261122020000-search-joints.ts`), chosen better. Both ends of a text are always among them: what
 * tells it from a frequent phrase is mostly what was typed before or behind it (`official music video b`). And they are
 * at most five instead of six, a joint for two runs: a list that is in most videos costs 2 ms to follow among a
 * million, and a text of nothing but such takes half as long as with six (measured).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // At most so many places of 1 to `total`, evenly spread, the last one first; the first one unless it asks for one only.
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
