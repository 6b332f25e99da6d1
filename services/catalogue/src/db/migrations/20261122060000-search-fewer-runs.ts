import { type Kysely, sql } from 'kysely'

/**
 * As before (`20261122020000-search-joints.ts`), but a joint stands for two runs: with one joint four runs are enough,
 * with two joints two, with three joints one. A text whose every mark is frequent costs what its lists cost to follow,
 * and is found in about three fifths of the time; others are as quick as with six (measured over 300,000 videos).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function search_marks(query text) returns bigint[]
    language plpgsql immutable parallel safe strict as $$
    declare
      chars text[] := string_to_array(query, null);
      words text[] := string_to_array(query, ' ');
      joints bigint[];
      runs bigint[];
      step integer;
    begin
      joints := array(
        select hashtextextended(right(word, 2) || left(next, 2), 0)
        from unnest(words, words[2:]) with ordinality as pair(word, next, place)
        where length(word) > 1 and length(next) > 1 order by place
      );
      step := ceil(cardinality(joints) / 3.0);
      joints := array(select joints[place] from generate_series(1, cardinality(joints), greatest(1, step)) place);
      step := ceil(greatest(1, cardinality(chars) - 2) / greatest(1, 6.0 - 2 * cardinality(joints)));
      runs := array(
        select (ascii(chars[place])::bigint << 42) | (coalesce(ascii(chars[place + 1]), 0)::bigint << 21)
          | coalesce(ascii(chars[place + 2]), 0)
        from generate_series(1, least(cardinality(chars), greatest(1, cardinality(chars) - 2)), step) place
      );
      return joints || runs;
    end $$`.execute(db)
}
