-- Written by pg_dump: tables and rows of all services in a database of the commit a1f7ac93.
SET check_function_bodies = false;
CREATE TABLE admin_audit.audit_log (
    id uuid NOT NULL,
    admin_user_id uuid,
    action text NOT NULL,
    target_type text,
    target_id text,
    target_user_id uuid,
    details jsonb,
    before jsonb,
    after jsonb,
    correlation_id text,
    created_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE admin_audit.audit_log OWNER TO looptide_admin_audit_owner;
CREATE FUNCTION admin_audit.audit_add_digest(seq bigint, entry admin_audit.audit_log) RETURNS bytea
    LANGUAGE sql
    SET search_path TO 'admin_audit', 'pg_catalog', 'pg_temp'
    AS $$
    with salted as (select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as salt)
    insert into audit_digests (seq, salt, digest)
    select seq, salt, sha256(salt || audit_personal_text(entry)) from salted returning digest
  $$;
ALTER FUNCTION admin_audit.audit_add_digest(seq bigint, entry admin_audit.audit_log) OWNER TO looptide_admin_audit_owner;
CREATE FUNCTION admin_audit.audit_chain_append(entry admin_audit.audit_log) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'admin_audit', 'pg_catalog', 'pg_temp'
    AS $$
  declare
    head record;
    next_seq bigint;
  begin
    -- Serialises appends: the row of entry 0 is the lock of the chain, which no other role can take.
    perform from audit_chain where seq = 0 for update;
    select seq, hash into head from audit_chain order by seq desc limit 1;
    next_seq := head.seq + 1;
    insert into audit_chain (seq, entry_id, hash) values (next_seq, entry.id, sha256(
      head.hash || audit_content(next_seq, entry, audit_add_digest(next_seq, entry))));
  end $$;
ALTER FUNCTION admin_audit.audit_chain_append(entry admin_audit.audit_log) OWNER TO looptide_admin_audit_owner;
CREATE FUNCTION admin_audit.audit_content(seq bigint, entry admin_audit.audit_log, digest bytea) RETURNS bytea
    LANGUAGE sql STABLE
    SET search_path TO 'admin_audit', 'pg_catalog', 'pg_temp'
    AS $$
    select convert_to(jsonb_build_array(seq, entry.id, entry.action, entry.target_type,
      case when entry.target_type is distinct from 'user' then entry.target_id end,
      to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      encode(digest, 'hex'))::text, 'UTF8')
  $$;
ALTER FUNCTION admin_audit.audit_content(seq bigint, entry admin_audit.audit_log, digest bytea) OWNER TO looptide_admin_audit_owner;
CREATE FUNCTION admin_audit.audit_log_chain() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'admin_audit', 'pg_catalog', 'pg_temp'
    AS $$
    begin
      perform audit_chain_append(new);
      return null;
    end $$;
ALTER FUNCTION admin_audit.audit_log_chain() OWNER TO looptide_admin_audit_owner;
CREATE FUNCTION admin_audit.audit_log_is_append_only() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  begin
    -- Only audit_pseudonymise sets it, and only its role may change rows at all.
    if tg_op = 'UPDATE' and current_setting('admin_audit.pseudonymising', true) = 'on' then
      return null;
    end if;
    raise exception 'the audit log is append-only';
  end $$;
ALTER FUNCTION admin_audit.audit_log_is_append_only() OWNER TO looptide_admin_audit_owner;
CREATE FUNCTION admin_audit.audit_personal_text(entry admin_audit.audit_log) RETURNS bytea
    LANGUAGE sql STABLE
    SET search_path TO 'admin_audit', 'pg_catalog', 'pg_temp'
    AS $$
    select convert_to(jsonb_build_array(entry.admin_user_id,
      case when entry.target_type = 'user' then entry.target_id end,
      entry.target_user_id, entry.details, entry.before, entry.after, entry.correlation_id)::text, 'UTF8')
  $$;
ALTER FUNCTION admin_audit.audit_personal_text(entry admin_audit.audit_log) OWNER TO looptide_admin_audit_owner;
CREATE FUNCTION admin_audit.audit_pseudonym(person uuid) RETURNS uuid
    LANGUAGE sql STABLE
    SET search_path TO 'admin_audit', 'pg_catalog', 'pg_temp'
    AS $$
    select encode(substr(sha256(secret || uuid_send(person)), 1, 16), 'hex')::uuid from audit_pseudonym_secret
  $$;
ALTER FUNCTION admin_audit.audit_pseudonym(person uuid) OWNER TO looptide_admin_audit_owner;
CREATE FUNCTION admin_audit.audit_pseudonymise(older_than timestamp with time zone, person uuid, step integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'admin_audit', 'pg_catalog', 'pg_temp'
    AS $$
  declare
    days integer := (select pseudonymise_days from audit_settings);
    due timestamptz;
    links bigint[];
  begin
    -- 0 turns it off.
    if coalesce(days, 0) = 0 then
      return 0;
    end if;
    if person is null then
      due := least(older_than, now() - make_interval(days => greatest(days, 30)));
      select array_agg(d.seq) into links
      from (select seq from audit_digests where salt is not null order by seq limit step for update skip locked) d
      join audit_chain c on c.seq = d.seq join audit_log l on l.id = c.entry_id
      where l.created_at < due;
    else
      if not exists (
        select from removed_accounts r where r.user_id = person and r.deleted_at <= now() - interval '30 days'
      ) then
        return 0;
      end if;
      due := least(older_than, now() - interval '30 days');
      select array_agg(found.seq) into links from (
        select d.seq from audit_log l
        join audit_chain c on c.entry_id = l.id join audit_digests d on d.seq = c.seq
        where (l.admin_user_id = person or l.target_user_id = person) and d.salt is not null and l.created_at < due
        limit step for update of d skip locked) found;
    end if;
    perform set_config('admin_audit.pseudonymising', 'on', true);
    update audit_log l set
      admin_user_id = audit_pseudonym(l.admin_user_id),
      target_user_id = audit_pseudonym(l.target_user_id),
      target_id = case when l.target_type = 'user' then audit_pseudonym(l.target_user_id)::text else l.target_id end,
      details = null, before = null, after = null, correlation_id = null
    from audit_chain c where c.entry_id = l.id and c.seq = any(links);
    perform set_config('admin_audit.pseudonymising', 'off', true);
    update audit_digests set salt = null where seq = any(links);
    return coalesce(cardinality(links), 0);
  end $$;
ALTER FUNCTION admin_audit.audit_pseudonymise(older_than timestamp with time zone, person uuid, step integer) OWNER TO looptide_admin_audit_owner;
CREATE FUNCTION admin_audit.outbox_wake() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform pg_notify('outbox_' || tg_table_schema, '');
      return null;
    end $$;
ALTER FUNCTION admin_audit.outbox_wake() OWNER TO looptide_admin_audit_owner;
CREATE FUNCTION admin_audit.removed_accounts_note_time() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  begin
    new.deleted_at := greatest(new.deleted_at, now());
    return new;
  end $$;
ALTER FUNCTION admin_audit.removed_accounts_note_time() OWNER TO looptide_admin_audit_owner;
CREATE FUNCTION auth.outbox_wake() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform pg_notify('outbox_' || tg_table_schema, '');
      return null;
    end $$;
ALTER FUNCTION auth.outbox_wake() OWNER TO looptide_auth;
CREATE FUNCTION catalogue.add_video_documents() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform pg_advisory_xact_lock(hashtext('catalogue.search_partitions'));
      with written as (
        insert into video_documents (video_id, created_at, partition_id, document)
        select id, created_at, partition_of(created_at), video_document(title, artist_name, description, genre)
        from added where is_listed(is_public, metadata_status)
        returning partition_id
      )
      update search_partitions set document_count = document_count + counted.documents
      from (select partition_id, count(*) as documents from written group by 1) counted where id = counted.partition_id;
      perform close_full_partition();
      return null;
    end $$;
ALTER FUNCTION catalogue.add_video_documents() OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.are_tags(tags text[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
      select count(*) <= 20 and count(distinct tag) = count(*)
        and coalesce(bool_and(length(tag) between 1 and 40 and tag = btrim(tag) and tag not like '%,%'), true)
      from unnest(tags) tag
    $$;
ALTER FUNCTION catalogue.are_tags(tags text[]) OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.close_full_partition() RETURNS void
    LANGUAGE plpgsql
    AS $$
    declare
      newest search_partitions;
    begin
      select * into newest from search_partitions order by starts_at desc limit 1;
      if newest.document_count > 16384 then
        insert into search_partitions (starts_at)
        select greatest(max(created_at), newest.starts_at) + interval '1 ms' from video_documents
        where created_at >= newest.starts_at;
      end if;
    end $$;
ALTER FUNCTION catalogue.close_full_partition() OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.count_artists() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if tg_op = 'INSERT' then
        insert into artists as t select artist_name, lower(artist_name), count(*)
        from added where counts_for_artist(is_public, metadata_status, artist_name, artist_given) group by 1 order by 1
        on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      elsif tg_op = 'DELETE' then
        insert into artists as t select artist_name, lower(artist_name), -count(*)
        from removed where counts_for_artist(is_public, metadata_status, artist_name, artist_given) group by 1 order by 1
        on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      else
        insert into artists as t select name, lower(name), sum(delta) from (values
          (old.artist_name, -counts_for_artist(
            old.is_public, old.metadata_status, old.artist_name, old.artist_given)::integer),
          (new.artist_name, counts_for_artist(
            new.is_public, new.metadata_status, new.artist_name, new.artist_given)::integer)
        ) v (name, delta)
        group by 1 having sum(delta) <> 0 order by 1
        on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      end if;
      return null;
    end $$;
ALTER FUNCTION catalogue.count_artists() OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.count_playlist_items() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if tg_op = 'INSERT' then
        update youtube_playlists set item_count = item_count + 1 where id = new.playlist_id and is_active;
      else
        update youtube_playlists set item_count = item_count - 1 where id = old.playlist_id and is_active;
      end if;
      return null;
    end $$;
ALTER FUNCTION catalogue.count_playlist_items() OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.count_video_totals() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if tg_op = 'INSERT' then
        insert into video_totals as t (category, is_public, video_count, unavailable_count)
        select coalesce(category, ''), is_public, count(*), count(*) filter (where metadata_status = 'unavailable')
        from added where review_state is null group by 1, 2 order by 1, 2
        on conflict (category, is_public) do update set
          video_count = t.video_count + excluded.video_count,
          unavailable_count = t.unavailable_count + excluded.unavailable_count;
      elsif tg_op = 'DELETE' then
        insert into video_totals as t (category, is_public, video_count, unavailable_count)
        select coalesce(category, ''), is_public, -count(*), -count(*) filter (where metadata_status = 'unavailable')
        from removed where review_state is null group by 1, 2 order by 1, 2
        on conflict (category, is_public) do update set
          video_count = t.video_count + excluded.video_count,
          unavailable_count = t.unavailable_count + excluded.unavailable_count;
      else
        insert into video_totals as t (category, is_public, video_count, unavailable_count)
        select category, is_public, sum(one), sum(case when metadata_status = 'unavailable' then one else 0 end)
        from (values
          (coalesce(old.category, ''), old.is_public, old.metadata_status, old.review_state, -1),
          (coalesce(new.category, ''), new.is_public, new.metadata_status, new.review_state, 1)
        ) v (category, is_public, metadata_status, review_state, one)
        where review_state is null
        group by 1, 2 order by 1, 2
        on conflict (category, is_public) do update set
          video_count = t.video_count + excluded.video_count,
          unavailable_count = t.unavailable_count + excluded.unavailable_count;
      end if;
      return null;
    end $$;
ALTER FUNCTION catalogue.count_video_totals() OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.counts_for_artist(is_public boolean, metadata_status text, artist_name text, artist_given boolean) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
      select is_listed(is_public, metadata_status) and (artist_given or artist_name <> 'Unknown Artist')
    $$;
ALTER FUNCTION catalogue.counts_for_artist(is_public boolean, metadata_status text, artist_name text, artist_given boolean) OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.index_key(gram text, partition_id integer) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
      select (partition_id::bigint << 40) | (hashtextextended(gram, 0) & ((1::bigint << 40) - 1))
    $$;
ALTER FUNCTION catalogue.index_key(gram text, partition_id integer) OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.index_keys(document text, partition_id integer) RETURNS bigint[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    declare
      chars text[] := string_to_array(document, null);
      words text[] := string_to_array(document, ' ');
      high_bits bigint := partition_id::bigint << 40;
      low_bits bigint := (1::bigint << 40) - 1;
    begin
      return (
        select array_agg(high_bits | (hashtextextended(one, 0) & low_bits))
          || array_agg(high_bits | (hashtextextended(two, 0) & low_bits))
          || array_agg(high_bits | (hashtextextended(three, 0) & low_bits))
          || array(
            select high_bits | (hashtextextended(right(word, 2) || left(next, 2), 0) & low_bits)
            from unnest(words, words[2:]) as pair(word, next) where length(word) > 1 and length(next) > 1
          )
        from (
          select a as one, a || coalesce(b, '') as two, a || coalesce(b, '') || coalesce(c, '') as three
          from unnest(chars, chars[2:], chars[3:]) as substring(a, b, c) offset 0
        ) grams
      );
    end $$;
ALTER FUNCTION catalogue.index_keys(document text, partition_id integer) OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.is_listed(is_public boolean, metadata_status text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ select is_public and metadata_status <> 'unavailable' $$;
ALTER FUNCTION catalogue.is_listed(is_public boolean, metadata_status text) OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.keep_metadata_reminder() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      if new.youtube_id is not null and new.metadata_status = 'pending' then
        insert into metadata_reminders (video_id, due_at) values (new.id, now() + interval '40 s')
        on conflict (video_id) do update set due_at = excluded.due_at, sent = 0;
      elsif new.youtube_id is null and new.duration_assumed then
        insert into metadata_reminders (video_id, due_at) values (new.id, now())
        on conflict (video_id) do nothing;
      elsif tg_op = 'UPDATE' then
        delete from metadata_reminders where video_id = new.id;
      end if;
      return null;
    end $$;
ALTER FUNCTION catalogue.keep_metadata_reminder() OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.lower_tags(tags text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
      select coalesce(array_agg(lower(tag)), '{}') from unnest(tags) tag
    $$;
ALTER FUNCTION catalogue.lower_tags(tags text[]) OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.merge_pending_keys() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform gin_clean_pending_list(tg_argv[0]::regclass);
      return null;
    end $$;
ALTER FUNCTION catalogue.merge_pending_keys() OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.outbox_wake() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform pg_notify('outbox_' || tg_table_schema, '');
      return null;
    end $$;
ALTER FUNCTION catalogue.outbox_wake() OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.partition_of(created timestamp with time zone) RETURNS integer
    LANGUAGE sql STABLE
    AS $$
      select id from search_partitions where starts_at <= created order by starts_at desc limit 1
    $$;
ALTER FUNCTION catalogue.partition_of(created timestamp with time zone) OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.query_grams(query text) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    declare
      chars text[] := string_to_array(query, null);
      words text[] := string_to_array(query, ' ');
      boundary_grams text[];
    begin
      boundary_grams := array(
        select right(word, 2) || left(next, 2)
        from unnest(words, words[2:]) with ordinality as pair(word, next, position)
        where length(word) > 1 and length(next) > 1 order by position
      );
      boundary_grams := array(
        select boundary_grams[position] from spread_positions(cardinality(boundary_grams), 3) position
      );
      return boundary_grams || array(
        select array_to_string(chars[position:position + 2], '')
        from spread_positions(
          least(cardinality(chars), greatest(1, cardinality(chars) - 2)),
          greatest(2, 5 - 2 * cardinality(boundary_grams))
        ) position
      );
    end $$;
ALTER FUNCTION catalogue.query_grams(query text) OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.search_artists(query text, pattern text, max_rows integer) RETURNS TABLE(name text, video_count bigint)
    LANGUAGE plpgsql STABLE
    SET enable_seqscan TO 'off'
    SET enable_indexscan TO 'off'
    SET work_mem TO '64MB'
    AS $$
    declare
      keys bigint[] := (select array_agg(index_key(gram, 0)) from unnest(query_grams(lower(query))) gram);
      lower_pattern text := lower(pattern);
    begin
      return query
        select a.name, a.video_count from artists a
        where index_keys(a.document, 0) @> keys and a.document like lower_pattern and a.video_count > 0
        order by a.video_count desc, a.name limit max_rows;
    end $$;
ALTER FUNCTION catalogue.search_artists(query text, pattern text, max_rows integer) OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.search_video_documents(query text, pattern text, max_rows integer) RETURNS TABLE(video_id uuid, created_at timestamp with time zone)
    LANGUAGE plpgsql STABLE
    SET enable_seqscan TO 'off'
    SET enable_indexscan TO 'off'
    SET work_mem TO '64MB'
    AS $$
    declare
      grams text[] := query_grams(lower(query));
      lower_pattern text := lower(pattern);
    begin
      return query
        select hit.video_id, hit.created_at
        from (select id from search_partitions order by starts_at desc offset 0) newest_first
        cross join lateral (
          select array_agg(index_key(gram, newest_first.id)) as keys from unnest(grams) gram offset 0
        ) wanted
        cross join lateral (
          select d.video_id, d.created_at from video_documents d
          where index_keys(d.document, d.partition_id) @> wanted.keys
            and d.partition_id = newest_first.id and d.document like lower_pattern
          order by d.created_at desc, d.video_id desc limit max_rows
        ) hit
        limit max_rows;
    end $$;
ALTER FUNCTION catalogue.search_video_documents(query text, pattern text, max_rows integer) OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.search_videos(query text, pattern text, max_rows integer, newest_scanned integer) RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE ROWS 20
    AS $$
    declare
      lower_pattern text := lower(pattern);
      hits uuid[];
    begin
      hits := array(
        select video_id from (
          select video_id, created_at, document from video_documents
          order by created_at desc, video_id desc limit newest_scanned
        ) newest
        where document like lower_pattern
        order by created_at desc, video_id desc limit max_rows
      );
      if cardinality(hits) = max_rows then
        return query select unnest(hits);
      else
        return query select hit.video_id from search_video_documents(query, pattern, max_rows) hit;
      end if;
    end $$;
ALTER FUNCTION catalogue.search_videos(query text, pattern text, max_rows integer, newest_scanned integer) OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.spread_positions(total integer, max_count integer) RETURNS SETOF integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
      select total - nth * (total - 1) / greatest(1, least(total, max_count) - 1)
      from generate_series(0, least(total, max_count) - 1) nth
    $$;
ALTER FUNCTION catalogue.spread_positions(total integer, max_count integer) OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.update_video_document() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    declare
      is_accepted boolean := old.review_state is not null;
    begin
      if not is_listed(new.is_public, new.metadata_status) then
        delete from video_documents where video_id = new.id;
        return null;
      end if;
      if is_accepted then
        perform pg_advisory_xact_lock(hashtext('catalogue.search_partitions'));
      end if;
      insert into video_documents (video_id, created_at, partition_id, document)
      values (new.id, new.created_at, partition_of(new.created_at),
        video_document(new.title, new.artist_name, new.description, new.genre))
      on conflict (video_id) do update set
        created_at = excluded.created_at, partition_id = excluded.partition_id, document = excluded.document;
      if is_accepted then
        update search_partitions set document_count = document_count + 1 where id = partition_of(new.created_at);
        perform close_full_partition();
      end if;
      return null;
    end $$;
ALTER FUNCTION catalogue.update_video_document() OWNER TO looptide_catalogue;
CREATE FUNCTION catalogue.video_document(title text, artist_name text, description text, genre text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
      select lower(concat_ws(chr(31), title, artist_name, coalesce(description, ''), coalesce(genre, '')))
    $$;
ALTER FUNCTION catalogue.video_document(title text, artist_name text, description text, genre text) OWNER TO looptide_catalogue;
CREATE FUNCTION chat.outbox_wake() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform pg_notify('outbox_' || tg_table_schema, '');
      return null;
    end $$;
ALTER FUNCTION chat.outbox_wake() OWNER TO looptide_chat;
CREATE FUNCTION scheduler.outbox_wake() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform pg_notify('outbox_' || tg_table_schema, '');
      return null;
    end $$;
ALTER FUNCTION scheduler.outbox_wake() OWNER TO looptide_scheduler;
CREATE FUNCTION scheduler.played_from_ms(duration_ms integer, start_at_ms integer, end_at_ms integer) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
      select greatest(0, least(start_at_ms, least(end_at_ms, duration_ms) - 1000))
    $$;
ALTER FUNCTION scheduler.played_from_ms(duration_ms integer, start_at_ms integer, end_at_ms integer) OWNER TO looptide_scheduler;
CREATE FUNCTION scheduler.played_ms(duration_ms integer, start_at_ms integer, end_at_ms integer) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
      select least(end_at_ms, duration_ms)
        - greatest(0, least(start_at_ms, least(end_at_ms, duration_ms) - 1000))
    $$;
ALTER FUNCTION scheduler.played_ms(duration_ms integer, start_at_ms integer, end_at_ms integer) OWNER TO looptide_scheduler;
CREATE TABLE admin_audit.audit_chain (
    seq bigint NOT NULL,
    entry_id uuid,
    hash bytea NOT NULL
);
ALTER TABLE admin_audit.audit_chain OWNER TO looptide_admin_audit_owner;
CREATE TABLE admin_audit.audit_digests (
    seq bigint NOT NULL,
    salt bytea,
    digest bytea NOT NULL
);
ALTER TABLE admin_audit.audit_digests OWNER TO looptide_admin_audit_owner;
CREATE TABLE admin_audit.audit_pseudonym_secret (
    secret bytea NOT NULL
);
ALTER TABLE admin_audit.audit_pseudonym_secret OWNER TO looptide_admin_audit_owner;
CREATE TABLE admin_audit.audit_settings (
    only_row boolean DEFAULT true NOT NULL,
    pseudonymise_days integer NOT NULL,
    CONSTRAINT audit_settings_only_row_check CHECK (only_row),
    CONSTRAINT audit_settings_pseudonymise_days_check CHECK (((pseudonymise_days >= 0) AND (pseudonymise_days <= 3650)))
);
ALTER TABLE admin_audit.audit_settings OWNER TO looptide_admin_audit_owner;
CREATE TABLE admin_audit.dead_letters (
    id bigint NOT NULL,
    consumer text NOT NULL,
    subject text NOT NULL,
    event_id uuid,
    envelope jsonb NOT NULL,
    error text NOT NULL,
    failed_at timestamp with time zone DEFAULT now() NOT NULL,
    replayed_at timestamp with time zone
);
ALTER TABLE admin_audit.dead_letters OWNER TO looptide_admin_audit_owner;
CREATE SEQUENCE admin_audit.dead_letters_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER TABLE admin_audit.dead_letters_id_seq OWNER TO looptide_admin_audit_owner;
ALTER SEQUENCE admin_audit.dead_letters_id_seq OWNED BY admin_audit.dead_letters.id;
CREATE TABLE admin_audit.guard_grants (
    id bigint NOT NULL,
    admin_user_id uuid NOT NULL,
    action text NOT NULL,
    target_user_id uuid,
    granted_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE admin_audit.guard_grants OWNER TO looptide_admin_audit_owner;
CREATE SEQUENCE admin_audit.guard_grants_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER TABLE admin_audit.guard_grants_id_seq OWNER TO looptide_admin_audit_owner;
ALTER SEQUENCE admin_audit.guard_grants_id_seq OWNED BY admin_audit.guard_grants.id;
CREATE TABLE admin_audit.inbox (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE admin_audit.inbox OWNER TO looptide_admin_audit_owner;
CREATE TABLE admin_audit.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
ALTER TABLE admin_audit.kysely_migration OWNER TO looptide_admin_audit_owner;
CREATE TABLE admin_audit.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
ALTER TABLE admin_audit.kysely_migration_lock OWNER TO looptide_admin_audit_owner;
CREATE TABLE admin_audit.leases (
    name text NOT NULL,
    holder uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE admin_audit.leases OWNER TO looptide_admin_audit_owner;
CREATE TABLE admin_audit.outbox (
    seq bigint NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    actor_id text,
    correlation_id text,
    aggregate_id text NOT NULL,
    data jsonb NOT NULL,
    trace_parent text,
    written_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE admin_audit.outbox OWNER TO looptide_admin_audit_owner;
CREATE SEQUENCE admin_audit.outbox_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER TABLE admin_audit.outbox_seq_seq OWNER TO looptide_admin_audit_owner;
ALTER SEQUENCE admin_audit.outbox_seq_seq OWNED BY admin_audit.outbox.seq;
CREATE TABLE admin_audit.published_events (
    seq bigint NOT NULL,
    stream text NOT NULL,
    stream_seq bigint NOT NULL,
    published_at timestamp with time zone DEFAULT now() NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    actor_id text,
    correlation_id text,
    aggregate_id text NOT NULL,
    data jsonb NOT NULL,
    trace_parent text
);
ALTER TABLE admin_audit.published_events OWNER TO looptide_admin_audit_owner;
CREATE TABLE admin_audit.refused_attempts (
    user_id uuid NOT NULL,
    hour timestamp(0) with time zone NOT NULL,
    attempts integer NOT NULL
);
ALTER TABLE admin_audit.refused_attempts OWNER TO looptide_admin_audit_owner;
CREATE TABLE admin_audit.refused_attempts_of_networks (
    network text NOT NULL,
    hour timestamp(0) with time zone NOT NULL,
    attempts integer NOT NULL
);
ALTER TABLE admin_audit.refused_attempts_of_networks OWNER TO looptide_admin_audit_owner;
CREATE TABLE admin_audit.removed_accounts (
    user_id uuid NOT NULL,
    deleted_at timestamp with time zone NOT NULL
);
ALTER TABLE admin_audit.removed_accounts OWNER TO looptide_admin_audit_owner;
CREATE TABLE admin_audit.security_marks (
    key text NOT NULL,
    until timestamp with time zone NOT NULL
);
ALTER TABLE admin_audit.security_marks OWNER TO looptide_admin_audit_owner;
CREATE TABLE admin_audit.theme_assets (
    version text NOT NULL,
    content_type text NOT NULL,
    bytes bytea NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT theme_assets_content_type_check CHECK ((content_type = ANY (ARRAY['image/jpeg'::text, 'image/png'::text, 'image/webp'::text])))
);
ALTER TABLE admin_audit.theme_assets OWNER TO looptide_admin_audit_owner;
CREATE TABLE admin_audit.theme_settings (
    id uuid NOT NULL,
    primary_color text NOT NULL,
    secondary_color text NOT NULL,
    accent_color text NOT NULL,
    background_color text NOT NULL,
    text_color text NOT NULL,
    font_family text NOT NULL,
    font_size integer NOT NULL,
    border_radius integer NOT NULL,
    logo_url text,
    hero_background_url text,
    is_active boolean NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    card_station_name text DEFAULT ''::text NOT NULL,
    card_next_text text DEFAULT 'Coming up next'::text NOT NULL,
    card_previous_text text DEFAULT 'You just saw'::text NOT NULL,
    card_countdown_text text DEFAULT 'Starts in'::text NOT NULL
);
ALTER TABLE admin_audit.theme_settings OWNER TO looptide_admin_audit_owner;
CREATE TABLE auth.account_networks (
    user_id uuid NOT NULL,
    network_digest bytea NOT NULL,
    last_used_at timestamp with time zone NOT NULL
);
ALTER TABLE auth.account_networks OWNER TO looptide_auth;
CREATE TABLE auth.auth_codes (
    code_digest bytea NOT NULL,
    user_id uuid NOT NULL,
    method text NOT NULL,
    code_challenge text NOT NULL,
    code_challenge_method text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE auth.auth_codes OWNER TO looptide_auth;
CREATE TABLE auth.avatars (
    user_id uuid NOT NULL,
    version text NOT NULL,
    content_type text NOT NULL,
    bytes bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT avatars_content_type_check CHECK ((content_type = ANY (ARRAY['image/jpeg'::text, 'image/png'::text, 'image/webp'::text])))
);
ALTER TABLE auth.avatars OWNER TO looptide_auth;
CREATE TABLE auth.dead_letters (
    id bigint NOT NULL,
    consumer text NOT NULL,
    subject text NOT NULL,
    event_id uuid,
    envelope jsonb NOT NULL,
    error text NOT NULL,
    failed_at timestamp with time zone DEFAULT now() NOT NULL,
    replayed_at timestamp with time zone
);
ALTER TABLE auth.dead_letters OWNER TO looptide_auth;
CREATE SEQUENCE auth.dead_letters_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER TABLE auth.dead_letters_id_seq OWNER TO looptide_auth;
ALTER SEQUENCE auth.dead_letters_id_seq OWNED BY auth.dead_letters.id;
CREATE TABLE auth.earlier_tokens (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    slot text NOT NULL,
    email text NOT NULL,
    token_digest bytea NOT NULL,
    code_digest bytea NOT NULL,
    code_challenge text,
    code_challenge_method text,
    password_hash text,
    user_metadata jsonb,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    sign_up_client bytea
);
ALTER TABLE auth.earlier_tokens OWNER TO looptide_auth;
CREATE TABLE auth.factor_challenges (
    id uuid NOT NULL,
    factor_id uuid NOT NULL,
    network text,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE auth.factor_challenges OWNER TO looptide_auth;
CREATE TABLE auth.factors (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    factor_type text NOT NULL,
    friendly_name text NOT NULL,
    status text NOT NULL,
    sealed_secret bytea,
    last_step bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    last_challenged_at timestamp with time zone,
    CONSTRAINT factors_check CHECK (((factor_type <> 'totp'::text) OR (sealed_secret IS NOT NULL))),
    CONSTRAINT factors_factor_type_check CHECK ((factor_type = ANY (ARRAY['totp'::text, 'webauthn'::text, 'recovery_code'::text]))),
    CONSTRAINT factors_status_check CHECK ((status = ANY (ARRAY['unverified'::text, 'verified'::text])))
);
ALTER TABLE auth.factors OWNER TO looptide_auth;
CREATE TABLE auth.identities (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    provider text NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    email text,
    created_at timestamp with time zone NOT NULL,
    last_sign_in_at timestamp with time zone,
    CONSTRAINT identities_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255)))
);
ALTER TABLE auth.identities OWNER TO looptide_auth;
CREATE TABLE auth.inbox (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE auth.inbox OWNER TO looptide_auth;
CREATE TABLE auth.kept_restrictions (
    address_digest bytea NOT NULL,
    restriction_type text NOT NULL,
    reason text NOT NULL,
    created_by uuid,
    created_by_role text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    kept_until timestamp with time zone NOT NULL,
    CONSTRAINT kept_restrictions_created_by_role_check CHECK ((created_by_role = ANY (ARRAY['user'::text, 'programmer'::text, 'curator'::text, 'moderator'::text, 'admin'::text]))),
    CONSTRAINT kept_restrictions_restriction_type_check CHECK ((restriction_type = ANY (ARRAY['chat_banned'::text, 'site_banned'::text, 'restricted'::text])))
);
ALTER TABLE auth.kept_restrictions OWNER TO looptide_auth;
CREATE TABLE auth.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
ALTER TABLE auth.kysely_migration OWNER TO looptide_auth;
CREATE TABLE auth.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
ALTER TABLE auth.kysely_migration_lock OWNER TO looptide_auth;
CREATE TABLE auth.leases (
    name text NOT NULL,
    holder uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE auth.leases OWNER TO looptide_auth;
CREATE TABLE auth.mail_outbox (
    id bigint NOT NULL,
    user_id uuid,
    slot text,
    sealed bytea NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE auth.mail_outbox OWNER TO looptide_auth;
CREATE SEQUENCE auth.mail_outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER TABLE auth.mail_outbox_id_seq OWNER TO looptide_auth;
ALTER SEQUENCE auth.mail_outbox_id_seq OWNED BY auth.mail_outbox.id;
CREATE TABLE auth.mail_throttle (
    address_digest bytea NOT NULL,
    slot text NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    streak integer DEFAULT 1 NOT NULL
);
ALTER TABLE auth.mail_throttle OWNER TO looptide_auth;
CREATE TABLE auth.one_time_tokens (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    slot text NOT NULL,
    email text NOT NULL,
    token_digest bytea NOT NULL,
    code_digest bytea NOT NULL,
    code_challenge text,
    code_challenge_method text,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    password_hash text,
    user_metadata jsonb,
    sign_up_client bytea,
    CONSTRAINT one_time_tokens_code_challenge_method_check CHECK ((code_challenge_method = ANY (ARRAY['s256'::text, 'plain'::text]))),
    CONSTRAINT one_time_tokens_slot_check CHECK ((slot = ANY (ARRAY['confirmation'::text, 'recovery'::text, 'email_change_current'::text, 'email_change_new'::text])))
);
ALTER TABLE auth.one_time_tokens OWNER TO looptide_auth;
CREATE TABLE auth.outbox (
    seq bigint NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    actor_id text,
    correlation_id text,
    aggregate_id text NOT NULL,
    data jsonb NOT NULL,
    trace_parent text,
    written_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE auth.outbox OWNER TO looptide_auth;
CREATE SEQUENCE auth.outbox_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER TABLE auth.outbox_seq_seq OWNER TO looptide_auth;
ALTER SEQUENCE auth.outbox_seq_seq OWNED BY auth.outbox.seq;
CREATE TABLE auth.passkeys (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    CONSTRAINT passkeys_counter_check CHECK ((counter >= 0)),
    CONSTRAINT passkeys_credential_id_check CHECK (((length(credential_id) >= 1) AND (length(credential_id) <= 1023))),
    CONSTRAINT passkeys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
    CONSTRAINT passkeys_public_key_check CHECK ((length(public_key) <= 4096))
);
ALTER TABLE auth.passkeys OWNER TO looptide_auth;
CREATE TABLE auth.personal_tokens (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    token_digest bytea NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    has_factor boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    CONSTRAINT personal_tokens_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
    CONSTRAINT personal_tokens_token_digest_check CHECK ((length(token_digest) = 32))
);
ALTER TABLE auth.personal_tokens OWNER TO looptide_auth;
CREATE TABLE auth.profiles (
    user_id uuid NOT NULL,
    handle text NOT NULL,
    handle_key text GENERATED ALWAYS AS (lower(handle)) STORED COLLATE pg_catalog."C",
    search_key text GENERATED ALWAYS AS (lower(((handle || ' '::text) || COALESCE(artist_name, ''::text)))) STORED,
    artist_name text,
    avatar_url text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    handle_skeleton text COLLATE pg_catalog."C",
    CONSTRAINT profiles_handle_check CHECK ((handle ~ '^[A-Za-z0-9_]{3,30}$'::text))
);
ALTER TABLE auth.profiles OWNER TO looptide_auth;
CREATE TABLE auth.provider_flows (
    digest bytea NOT NULL,
    step text NOT NULL,
    provider text NOT NULL,
    sealed bytea NOT NULL,
    code_challenge text NOT NULL,
    code_challenge_method text NOT NULL,
    redirect_to text NOT NULL,
    session_id uuid,
    began_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT provider_flows_step_check CHECK ((step = ANY (ARRAY['callback'::text, 'exchange'::text])))
);
ALTER TABLE auth.provider_flows OWNER TO looptide_auth;
CREATE TABLE auth.published_events (
    seq bigint NOT NULL,
    stream text NOT NULL,
    stream_seq bigint NOT NULL,
    published_at timestamp with time zone DEFAULT now() NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    actor_id text,
    correlation_id text,
    aggregate_id text NOT NULL,
    data jsonb NOT NULL,
    trace_parent text
);
ALTER TABLE auth.published_events OWNER TO looptide_auth;
CREATE TABLE auth.recovery_codes (
    factor_id uuid NOT NULL,
    code_digest bytea NOT NULL,
    used_at timestamp with time zone
);
ALTER TABLE auth.recovery_codes OWNER TO looptide_auth;
CREATE TABLE auth.revoked_keys (
    kid text NOT NULL,
    until timestamp with time zone NOT NULL
);
ALTER TABLE auth.revoked_keys OWNER TO looptide_auth;
CREATE TABLE auth.revoked_sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    reason text NOT NULL,
    until timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone NOT NULL
);
ALTER TABLE auth.revoked_sessions OWNER TO looptide_auth;
CREATE TABLE auth.secret_check (
    id boolean DEFAULT true NOT NULL,
    sealed bytea NOT NULL,
    CONSTRAINT secret_check_id_check CHECK (id)
);
ALTER TABLE auth.secret_check OWNER TO looptide_auth;
CREATE TABLE auth.security_keys (
    factor_id uuid NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[] NOT NULL,
    CONSTRAINT security_keys_counter_check CHECK ((counter >= 0)),
    CONSTRAINT security_keys_credential_id_check CHECK (((length(credential_id) >= 1) AND (length(credential_id) <= 1023))),
    CONSTRAINT security_keys_public_key_check CHECK ((length(public_key) <= 4096))
);
ALTER TABLE auth.security_keys OWNER TO looptide_auth;
CREATE TABLE auth.sessions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    counter integer NOT NULL,
    token_salt bytea NOT NULL,
    method text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    refreshed_at timestamp with time zone NOT NULL,
    user_agent text,
    ip text,
    recent_rotations jsonb DEFAULT '[]'::jsonb NOT NULL,
    arrived_counter integer DEFAULT 0 NOT NULL,
    factor_id uuid,
    factor_method text,
    factor_verified_at timestamp with time zone,
    CONSTRAINT sessions_counter_check CHECK ((counter >= 1)),
    CONSTRAINT sessions_method_check CHECK ((method = ANY (ARRAY['password'::text, 'otp'::text, 'passkey'::text, 'oauth'::text, 'anonymous'::text])))
);
ALTER TABLE auth.sessions OWNER TO looptide_auth;
CREATE TABLE auth.sign_ins (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    method text NOT NULL,
    succeeded boolean NOT NULL,
    device text,
    network text,
    CONSTRAINT sign_ins_device_check CHECK ((length(device) <= 100)),
    CONSTRAINT sign_ins_method_check CHECK (((length(method) >= 1) AND (length(method) <= 20))),
    CONSTRAINT sign_ins_network_check CHECK ((length(network) <= 60))
);
ALTER TABLE auth.sign_ins OWNER TO looptide_auth;
CREATE TABLE auth.signing_keys (
    kid text NOT NULL,
    public_jwk jsonb NOT NULL,
    sealed_private_jwk bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    signs_from timestamp with time zone NOT NULL
);
ALTER TABLE auth.signing_keys OWNER TO looptide_auth;
CREATE TABLE auth.spent_passkey_challenges (
    id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE auth.spent_passkey_challenges OWNER TO looptide_auth;
CREATE TABLE auth.user_restrictions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    restriction_type text NOT NULL,
    reason text NOT NULL,
    created_by uuid,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    created_by_role text,
    CONSTRAINT user_restrictions_created_by_role_check CHECK ((created_by_role = ANY (ARRAY['user'::text, 'programmer'::text, 'curator'::text, 'moderator'::text, 'admin'::text]))),
    CONSTRAINT user_restrictions_restriction_type_check CHECK ((restriction_type = ANY (ARRAY['chat_banned'::text, 'site_banned'::text, 'restricted'::text])))
);
ALTER TABLE auth.user_restrictions OWNER TO looptide_auth;
CREATE TABLE auth.user_roles (
    user_id uuid NOT NULL,
    role text NOT NULL,
    granted_by uuid,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT user_roles_role_check CHECK ((role = ANY (ARRAY['user'::text, 'programmer'::text, 'curator'::text, 'moderator'::text, 'admin'::text])))
);
ALTER TABLE auth.user_roles OWNER TO looptide_auth;
CREATE TABLE auth.users (
    id uuid NOT NULL,
    email text,
    password_hash text,
    email_confirmed_at timestamp with time zone,
    confirmation_sent_at timestamp with time zone,
    recovery_sent_at timestamp with time zone,
    last_sign_in_at timestamp with time zone,
    new_email text,
    email_change_sent_at timestamp with time zone,
    email_change_agreed text,
    user_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    wrong_codes integer DEFAULT 0 NOT NULL,
    wrong_codes_since timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    contested boolean DEFAULT false NOT NULL,
    sign_up_client bytea,
    invited_at timestamp with time zone,
    reauthentication_digest bytea,
    reauthentication_sent_at timestamp with time zone,
    password_reset_required_at timestamp with time zone,
    anonymous_seen_at timestamp with time zone,
    CONSTRAINT users_anonymous_check CHECK (((email IS NULL) = (anonymous_seen_at IS NOT NULL))),
    CONSTRAINT users_email_change_agreed_check CHECK ((email_change_agreed = ANY (ARRAY['current'::text, 'new'::text]))),
    CONSTRAINT users_email_check CHECK (((email = lower(email)) AND (length(email) <= 255))),
    CONSTRAINT users_new_email_check CHECK (((new_email = lower(new_email)) AND (length(new_email) <= 255)))
);
ALTER TABLE auth.users OWNER TO looptide_auth;
CREATE TABLE catalogue.artists (
    name text NOT NULL,
    document text NOT NULL,
    video_count bigint NOT NULL
);
ALTER TABLE catalogue.artists OWNER TO looptide_catalogue;
CREATE TABLE catalogue.dead_letters (
    id bigint NOT NULL,
    consumer text NOT NULL,
    subject text NOT NULL,
    event_id uuid,
    envelope jsonb NOT NULL,
    error text NOT NULL,
    failed_at timestamp with time zone DEFAULT now() NOT NULL,
    replayed_at timestamp with time zone
);
ALTER TABLE catalogue.dead_letters OWNER TO looptide_catalogue;
CREATE SEQUENCE catalogue.dead_letters_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER TABLE catalogue.dead_letters_id_seq OWNER TO looptide_catalogue;
ALTER SEQUENCE catalogue.dead_letters_id_seq OWNED BY catalogue.dead_letters.id;
CREATE TABLE catalogue.deleted_curation (
    id uuid NOT NULL,
    video_id uuid NOT NULL,
    section_type text NOT NULL,
    section_name text,
    "position" integer NOT NULL,
    is_active boolean NOT NULL,
    created_by uuid,
    created_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE catalogue.deleted_curation OWNER TO looptide_catalogue;
CREATE TABLE catalogue.deleted_playlist_items (
    id uuid NOT NULL,
    playlist_id uuid NOT NULL,
    video_id uuid NOT NULL,
    "position" integer NOT NULL,
    added_by uuid
);
ALTER TABLE catalogue.deleted_playlist_items OWNER TO looptide_catalogue;
CREATE TABLE catalogue.deleted_videos (
    id uuid NOT NULL,
    title text NOT NULL,
    artist_name text NOT NULL,
    artist_given boolean NOT NULL,
    description text,
    genre text,
    category text,
    duration_ms integer NOT NULL,
    duration_assumed boolean NOT NULL,
    thumbnail_url text,
    video_url text NOT NULL,
    youtube_id text,
    is_public boolean NOT NULL,
    metadata_status text NOT NULL,
    unavailable_reason text,
    view_count bigint NOT NULL,
    user_id uuid,
    shuffle_key double precision NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    review_state text,
    review_reason text,
    title_given boolean NOT NULL,
    thumbnail_given boolean NOT NULL,
    deleted_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    start_at_ms integer DEFAULT 0 NOT NULL,
    end_at_ms integer
);
ALTER TABLE catalogue.deleted_videos OWNER TO looptide_catalogue;
CREATE TABLE catalogue.followed_items (
    list_id uuid NOT NULL,
    youtube_id text NOT NULL,
    seen_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
ALTER TABLE catalogue.followed_items OWNER TO looptide_catalogue;
CREATE TABLE catalogue.followed_lists (
    id uuid NOT NULL,
    url text NOT NULL,
    source_kind text NOT NULL,
    source_name text NOT NULL,
    playlist_id text,
    title text,
    intake text NOT NULL,
    category text NOT NULL,
    tag text NOT NULL,
    only_new boolean NOT NULL,
    is_paused boolean DEFAULT false NOT NULL,
    item_count integer,
    new_count integer DEFAULT 0 NOT NULL,
    last_new_at timestamp(3) with time zone,
    requested_at timestamp(3) with time zone,
    checked_at timestamp(3) with time zone,
    next_check_at timestamp(3) with time zone NOT NULL,
    fully_read_at timestamp(3) with time zone,
    etag text,
    newest_ids text[] DEFAULT '{}'::text[] NOT NULL,
    problem_code text,
    problem_message text,
    problem_since timestamp(3) with time zone,
    problem_continues_at timestamp(3) with time zone,
    created_by uuid,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT followed_lists_intake_check CHECK ((intake = ANY (ARRAY['submissions'::text, 'direct'::text]))),
    CONSTRAINT followed_lists_source_kind_check CHECK ((source_kind = ANY (ARRAY['playlist'::text, 'channel'::text, 'handle'::text, 'user'::text]))),
    CONSTRAINT followed_lists_tag_check CHECK (((length(tag) >= 1) AND (length(tag) <= 40)))
);
ALTER TABLE catalogue.followed_lists OWNER TO looptide_catalogue;
CREATE TABLE catalogue.home_screen_curation (
    id uuid NOT NULL,
    video_id uuid NOT NULL,
    section_type text NOT NULL,
    section_name text,
    "position" integer NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_by uuid,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT home_screen_curation_check CHECK (((section_type = 'category'::text) = (section_name IS NOT NULL))),
    CONSTRAINT home_screen_curation_position_check CHECK (("position" >= 1)),
    CONSTRAINT home_screen_curation_section_type_check CHECK ((section_type = ANY (ARRAY['hero'::text, 'featured'::text, 'category'::text])))
);
ALTER TABLE catalogue.home_screen_curation OWNER TO looptide_catalogue;
CREATE TABLE catalogue.inbox (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE catalogue.inbox OWNER TO looptide_catalogue;
CREATE TABLE catalogue.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
ALTER TABLE catalogue.kysely_migration OWNER TO looptide_catalogue;
CREATE TABLE catalogue.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
ALTER TABLE catalogue.kysely_migration_lock OWNER TO looptide_catalogue;
CREATE TABLE catalogue.leases (
    name text NOT NULL,
    holder uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE catalogue.leases OWNER TO looptide_catalogue;
CREATE TABLE catalogue.metadata_reminders (
    video_id uuid NOT NULL,
    due_at timestamp with time zone NOT NULL,
    sent integer DEFAULT 0 NOT NULL
);
ALTER TABLE catalogue.metadata_reminders OWNER TO looptide_catalogue;
CREATE TABLE catalogue.outbox (
    seq bigint NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    actor_id text,
    correlation_id text,
    aggregate_id text NOT NULL,
    data jsonb NOT NULL,
    trace_parent text,
    written_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE catalogue.outbox OWNER TO looptide_catalogue;
CREATE SEQUENCE catalogue.outbox_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER TABLE catalogue.outbox_seq_seq OWNER TO looptide_catalogue;
ALTER SEQUENCE catalogue.outbox_seq_seq OWNED BY catalogue.outbox.seq;
CREATE TABLE catalogue.published_events (
    seq bigint NOT NULL,
    stream text NOT NULL,
    stream_seq bigint NOT NULL,
    published_at timestamp with time zone DEFAULT now() NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    actor_id text,
    correlation_id text,
    aggregate_id text NOT NULL,
    data jsonb NOT NULL,
    trace_parent text
);
ALTER TABLE catalogue.published_events OWNER TO looptide_catalogue;
CREATE TABLE catalogue.restricted_users (
    restriction_id uuid NOT NULL,
    user_id uuid NOT NULL,
    expires_at timestamp with time zone
);
ALTER TABLE catalogue.restricted_users OWNER TO looptide_catalogue;
CREATE TABLE catalogue.search_partitions (
    id integer NOT NULL,
    starts_at timestamp(3) with time zone NOT NULL,
    document_count integer DEFAULT 0 NOT NULL
);
ALTER TABLE catalogue.search_partitions OWNER TO looptide_catalogue;
ALTER TABLE catalogue.search_partitions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME catalogue.search_partitions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE catalogue.submissions (
    video_id uuid NOT NULL,
    state text DEFAULT 'submitted'::text NOT NULL,
    submitted_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    decided_by uuid,
    decided_at timestamp(3) with time zone,
    followed_list text,
    CONSTRAINT submissions_state_check CHECK ((state = ANY (ARRAY['submitted'::text, 'accepted'::text, 'rejected'::text])))
);
ALTER TABLE catalogue.submissions OWNER TO looptide_catalogue;
CREATE TABLE catalogue.submitters (
    user_id uuid NOT NULL,
    video_id uuid NOT NULL,
    submitted_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
ALTER TABLE catalogue.submitters OWNER TO looptide_catalogue;
CREATE TABLE catalogue.video_documents (
    video_id uuid NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    partition_id integer NOT NULL,
    document text NOT NULL
);
ALTER TABLE catalogue.video_documents OWNER TO looptide_catalogue;
CREATE TABLE catalogue.video_edits (
    edit_id uuid NOT NULL,
    video_id uuid NOT NULL,
    old_artist_name text NOT NULL,
    old_artist_given boolean NOT NULL,
    old_genre text,
    old_category text,
    new_artist_name text NOT NULL,
    new_artist_given boolean NOT NULL,
    new_genre text,
    new_category text,
    edited_at timestamp with time zone DEFAULT now() NOT NULL,
    old_tags text[],
    new_tags text[],
    old_title text,
    new_title text,
    old_title_given boolean,
    new_title_given boolean
);
ALTER TABLE catalogue.video_edits OWNER TO looptide_catalogue;
CREATE TABLE catalogue.video_filters (
    id uuid NOT NULL,
    name text NOT NULL,
    filter jsonb NOT NULL,
    created_by uuid,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT video_filters_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60)))
);
ALTER TABLE catalogue.video_filters OWNER TO looptide_catalogue;
CREATE TABLE catalogue.video_reports (
    video_id uuid NOT NULL,
    channel_id text NOT NULL,
    reason text NOT NULL,
    report_count integer DEFAULT 1 NOT NULL,
    reported_at timestamp with time zone NOT NULL
);
ALTER TABLE catalogue.video_reports OWNER TO looptide_catalogue;
CREATE TABLE catalogue.video_totals (
    category text NOT NULL,
    is_public boolean NOT NULL,
    video_count bigint NOT NULL,
    unavailable_count bigint DEFAULT 0 NOT NULL
);
ALTER TABLE catalogue.video_totals OWNER TO looptide_catalogue;
CREATE TABLE catalogue.videos (
    id uuid NOT NULL,
    title text NOT NULL,
    artist_name text NOT NULL,
    artist_given boolean NOT NULL,
    description text,
    genre text,
    category text,
    duration_ms integer NOT NULL,
    duration_assumed boolean NOT NULL,
    thumbnail_url text,
    video_url text NOT NULL,
    youtube_id text,
    is_public boolean NOT NULL,
    metadata_status text NOT NULL,
    unavailable_reason text,
    view_count bigint DEFAULT 0 NOT NULL,
    user_id uuid,
    shuffle_key double precision DEFAULT random() NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    review_state text,
    review_reason text,
    title_given boolean DEFAULT false NOT NULL,
    thumbnail_given boolean DEFAULT false NOT NULL,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    start_at_ms integer DEFAULT 0 NOT NULL,
    end_at_ms integer,
    CONSTRAINT videos_artist_name_check CHECK ((length(artist_name) <= 200)),
    CONSTRAINT videos_duration_ms_check CHECK ((duration_ms > 0)),
    CONSTRAINT videos_metadata_status_check CHECK ((metadata_status = ANY (ARRAY['pending'::text, 'resolved'::text, 'unavailable'::text]))),
    CONSTRAINT videos_review CHECK (((review_state IS NULL) OR ((review_state = ANY (ARRAY['submitted'::text, 'rejected'::text])) AND (NOT is_public)))),
    CONSTRAINT videos_tags CHECK (catalogue.are_tags(tags)),
    CONSTRAINT videos_trim_points CHECK (((start_at_ms >= 0) AND ((end_at_ms IS NULL) OR (end_at_ms >= (start_at_ms + 1000)))))
)
WITH (fillfactor='85');
ALTER TABLE catalogue.videos OWNER TO looptide_catalogue;
CREATE TABLE catalogue.view_marks (
    viewer_id uuid NOT NULL,
    video_id uuid NOT NULL,
    counted_at timestamp with time zone NOT NULL
);
ALTER TABLE catalogue.view_marks OWNER TO looptide_catalogue;
CREATE TABLE catalogue.youtube_playlist_items (
    id uuid NOT NULL,
    playlist_id uuid NOT NULL,
    video_id uuid NOT NULL,
    "position" integer NOT NULL,
    added_by uuid,
    CONSTRAINT youtube_playlist_items_position_check CHECK (("position" >= 0))
);
ALTER TABLE catalogue.youtube_playlist_items OWNER TO looptide_catalogue;
CREATE TABLE catalogue.youtube_playlists (
    id uuid NOT NULL,
    name text NOT NULL,
    description text,
    user_id uuid NOT NULL,
    shuffle_mode boolean DEFAULT false NOT NULL,
    loop_mode text DEFAULT 'off'::text NOT NULL,
    auto_advance boolean DEFAULT true NOT NULL,
    is_public boolean DEFAULT false NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    item_count integer DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    is_default boolean DEFAULT false NOT NULL,
    CONSTRAINT youtube_playlists_loop_mode_check CHECK ((loop_mode = ANY (ARRAY['off'::text, 'single'::text, 'playlist'::text])))
);
ALTER TABLE catalogue.youtube_playlists OWNER TO looptide_catalogue;
CREATE TABLE chat.channels (
    id text NOT NULL,
    last_seq bigint DEFAULT 0 NOT NULL,
    slow_mode_s integer DEFAULT 0 NOT NULL,
    is_deleted boolean DEFAULT false NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT channels_slow_mode_s_check CHECK (((slow_mode_s >= 0) AND (slow_mode_s <= 3600)))
)
WITH (fillfactor='50');
ALTER TABLE chat.channels OWNER TO looptide_chat;
CREATE TABLE chat.chatters (
    channel_id text NOT NULL,
    user_id uuid NOT NULL,
    tokens double precision NOT NULL,
    posted_at timestamp(3) with time zone NOT NULL
)
WITH (fillfactor='70');
ALTER TABLE chat.chatters OWNER TO looptide_chat;
CREATE TABLE chat.dead_letters (
    id bigint NOT NULL,
    consumer text NOT NULL,
    subject text NOT NULL,
    event_id uuid,
    envelope jsonb NOT NULL,
    error text NOT NULL,
    failed_at timestamp with time zone DEFAULT now() NOT NULL,
    replayed_at timestamp with time zone
);
ALTER TABLE chat.dead_letters OWNER TO looptide_chat;
CREATE SEQUENCE chat.dead_letters_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER TABLE chat.dead_letters_id_seq OWNER TO looptide_chat;
ALTER SEQUENCE chat.dead_letters_id_seq OWNED BY chat.dead_letters.id;
CREATE TABLE chat.inbox (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE chat.inbox OWNER TO looptide_chat;
CREATE TABLE chat.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
ALTER TABLE chat.kysely_migration OWNER TO looptide_chat;
CREATE TABLE chat.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
ALTER TABLE chat.kysely_migration_lock OWNER TO looptide_chat;
CREATE TABLE chat.leases (
    name text NOT NULL,
    holder uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE chat.leases OWNER TO looptide_chat;
CREATE TABLE chat.live_chat_messages (
    id uuid NOT NULL,
    channel_id text NOT NULL,
    seq bigint NOT NULL,
    user_id uuid NOT NULL,
    client_id uuid NOT NULL,
    message text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    is_deleted boolean DEFAULT false NOT NULL,
    removed_at timestamp(3) with time zone,
    removed_by uuid,
    CONSTRAINT live_chat_messages_message_check CHECK (((char_length(message) >= 1) AND (char_length(message) <= 500)))
);
ALTER TABLE chat.live_chat_messages OWNER TO looptide_chat;
CREATE TABLE chat.outbox (
    seq bigint NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    actor_id text,
    correlation_id text,
    aggregate_id text NOT NULL,
    data jsonb NOT NULL,
    trace_parent text,
    written_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE chat.outbox OWNER TO looptide_chat;
CREATE SEQUENCE chat.outbox_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER TABLE chat.outbox_seq_seq OWNER TO looptide_chat;
ALTER SEQUENCE chat.outbox_seq_seq OWNED BY chat.outbox.seq;
CREATE TABLE chat.profiles (
    user_id uuid NOT NULL,
    handle text,
    artist_name text,
    version bigint NOT NULL
);
ALTER TABLE chat.profiles OWNER TO looptide_chat;
CREATE TABLE chat.published_events (
    seq bigint NOT NULL,
    stream text NOT NULL,
    stream_seq bigint NOT NULL,
    published_at timestamp with time zone DEFAULT now() NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    actor_id text,
    correlation_id text,
    aggregate_id text NOT NULL,
    data jsonb NOT NULL,
    trace_parent text
);
ALTER TABLE chat.published_events OWNER TO looptide_chat;
CREATE TABLE chat.restrictions (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    restriction_type text NOT NULL,
    expires_at timestamp with time zone,
    is_lifted boolean NOT NULL
);
ALTER TABLE chat.restrictions OWNER TO looptide_chat;
CREATE TABLE scheduler.air_log (
    channel_id text NOT NULL,
    seq bigint NOT NULL,
    round_seq bigint NOT NULL,
    item_id uuid NOT NULL,
    video_id uuid NOT NULL,
    title text NOT NULL,
    artist_name text NOT NULL,
    started_at_ms bigint NOT NULL,
    ended_at_ms bigint NOT NULL,
    reason jsonb,
    CONSTRAINT air_log_check CHECK ((ended_at_ms > started_at_ms))
);
ALTER TABLE scheduler.air_log OWNER TO looptide_scheduler;
CREATE TABLE scheduler.backfills (
    name text NOT NULL,
    completed_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE scheduler.backfills OWNER TO looptide_scheduler;
CREATE TABLE scheduler.channel_playlists (
    id uuid NOT NULL,
    channel_id text NOT NULL,
    video_id uuid NOT NULL,
    "position" bigint NOT NULL,
    created_by uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE scheduler.channel_playlists OWNER TO looptide_scheduler;
CREATE TABLE scheduler.channels (
    id text NOT NULL,
    name text NOT NULL,
    description text,
    "position" integer NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    shuffle_enabled boolean DEFAULT false NOT NULL,
    status text DEFAULT 'idle'::text NOT NULL,
    status_changed_at timestamp with time zone DEFAULT now() NOT NULL,
    timeline_version bigint DEFAULT 0 NOT NULL,
    loop_version bigint DEFAULT 0 NOT NULL,
    seed text NOT NULL,
    next_seq bigint DEFAULT 1 NOT NULL,
    ends_at_ms bigint,
    aired_seq bigint DEFAULT 0 NOT NULL,
    leader uuid,
    created_by uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    schedule_version integer DEFAULT 0 NOT NULL,
    schedule_problems integer DEFAULT 0 NOT NULL,
    planned_checksum text,
    CONSTRAINT channels_status_check CHECK ((status = ANY (ARRAY['idle'::text, 'syncing'::text, 'live'::text])))
);
ALTER TABLE scheduler.channels OWNER TO looptide_scheduler;
CREATE TABLE scheduler.dead_letters (
    id bigint NOT NULL,
    consumer text NOT NULL,
    subject text NOT NULL,
    event_id uuid,
    envelope jsonb NOT NULL,
    error text NOT NULL,
    failed_at timestamp with time zone DEFAULT now() NOT NULL,
    replayed_at timestamp with time zone
);
ALTER TABLE scheduler.dead_letters OWNER TO looptide_scheduler;
CREATE SEQUENCE scheduler.dead_letters_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER TABLE scheduler.dead_letters_id_seq OWNER TO looptide_scheduler;
ALTER SEQUENCE scheduler.dead_letters_id_seq OWNED BY scheduler.dead_letters.id;
CREATE TABLE scheduler.inbox (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE scheduler.inbox OWNER TO looptide_scheduler;
CREATE TABLE scheduler.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
ALTER TABLE scheduler.kysely_migration OWNER TO looptide_scheduler;
CREATE TABLE scheduler.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
ALTER TABLE scheduler.kysely_migration_lock OWNER TO looptide_scheduler;
CREATE TABLE scheduler.last_airings (
    channel_id text NOT NULL,
    video_id uuid NOT NULL,
    started_at_ms bigint NOT NULL,
    ended_at_ms bigint NOT NULL
);
ALTER TABLE scheduler.last_airings OWNER TO looptide_scheduler;
CREATE TABLE scheduler.leases (
    name text NOT NULL,
    holder uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE scheduler.leases OWNER TO looptide_scheduler;
CREATE TABLE scheduler.loops (
    channel_id text NOT NULL,
    round_seq bigint NOT NULL,
    item_ids uuid[] NOT NULL,
    next_place integer NOT NULL
);
ALTER TABLE ONLY scheduler.loops ALTER COLUMN item_ids SET STORAGE EXTERNAL;
ALTER TABLE scheduler.loops OWNER TO looptide_scheduler;
CREATE TABLE scheduler.outbox (
    seq bigint NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    actor_id text,
    correlation_id text,
    aggregate_id text NOT NULL,
    data jsonb NOT NULL,
    trace_parent text,
    written_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE scheduler.outbox OWNER TO looptide_scheduler;
CREATE SEQUENCE scheduler.outbox_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER TABLE scheduler.outbox_seq_seq OWNER TO looptide_scheduler;
ALTER SEQUENCE scheduler.outbox_seq_seq OWNED BY scheduler.outbox.seq;
CREATE TABLE scheduler.playback_reports (
    video_id uuid NOT NULL,
    kind text NOT NULL,
    viewer text NOT NULL,
    channel_id text NOT NULL,
    error_code integer,
    duration_ms integer,
    reported_at timestamp with time zone NOT NULL,
    network text,
    country text,
    CONSTRAINT playback_reports_country CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT playback_reports_kind_check CHECK ((kind = ANY (ARRAY['error'::text, 'duration'::text])))
);
ALTER TABLE scheduler.playback_reports OWNER TO looptide_scheduler;
CREATE TABLE scheduler.programmes (
    channel_id text NOT NULL,
    seq bigint NOT NULL,
    prev_seq bigint,
    round_seq bigint NOT NULL,
    item_id uuid,
    video_id uuid,
    video_version bigint NOT NULL,
    version bigint NOT NULL,
    starts_at_ms bigint NOT NULL,
    ends_at_ms bigint NOT NULL,
    kind text DEFAULT 'video'::text NOT NULL,
    reason jsonb,
    offset_ms integer DEFAULT 0 NOT NULL,
    CONSTRAINT programmes_kind CHECK ((kind = ANY (ARRAY['video'::text, 'ident'::text, 'countdown'::text]))),
    CONSTRAINT programmes_length CHECK ((ends_at_ms > starts_at_ms)),
    CONSTRAINT programmes_predecessor CHECK ((prev_seq = (seq - 1))),
    CONSTRAINT programmes_seq_check CHECK ((seq >= 1)),
    CONSTRAINT programmes_video CHECK (((kind = 'video'::text) = ((video_id IS NOT NULL) AND (item_id IS NOT NULL))))
);
ALTER TABLE scheduler.programmes OWNER TO looptide_scheduler;
CREATE TABLE scheduler.published_events (
    seq bigint NOT NULL,
    stream text NOT NULL,
    stream_seq bigint NOT NULL,
    published_at timestamp with time zone DEFAULT now() NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    actor_id text,
    correlation_id text,
    aggregate_id text NOT NULL,
    data jsonb NOT NULL,
    trace_parent text
);
ALTER TABLE scheduler.published_events OWNER TO looptide_scheduler;
CREATE TABLE scheduler.removed_playlist_items (
    id uuid NOT NULL,
    channel_id text NOT NULL,
    video_id uuid NOT NULL,
    "position" bigint NOT NULL,
    created_by uuid,
    created_at timestamp with time zone NOT NULL,
    removed_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE scheduler.removed_playlist_items OWNER TO looptide_scheduler;
CREATE TABLE scheduler.replicas (
    id uuid NOT NULL,
    seen_at timestamp with time zone NOT NULL
);
ALTER TABLE scheduler.replicas OWNER TO looptide_scheduler;
CREATE TABLE scheduler.schedule_drafts (
    channel_id text NOT NULL,
    revision integer NOT NULL,
    document jsonb NOT NULL,
    based_on_version integer NOT NULL,
    saved_at timestamp with time zone DEFAULT now() NOT NULL,
    saved_by uuid
);
ALTER TABLE scheduler.schedule_drafts OWNER TO looptide_scheduler;
CREATE TABLE scheduler.schedule_states (
    channel_id text NOT NULL,
    seq bigint NOT NULL,
    starts_at_ms bigint NOT NULL,
    state jsonb
);
ALTER TABLE ONLY scheduler.schedule_states ALTER COLUMN state SET STORAGE EXTERNAL;
ALTER TABLE scheduler.schedule_states OWNER TO looptide_scheduler;
CREATE TABLE scheduler.schedule_versions (
    channel_id text NOT NULL,
    version integer NOT NULL,
    document jsonb NOT NULL,
    published_at timestamp with time zone DEFAULT now() NOT NULL,
    published_by uuid,
    restored_from integer,
    CONSTRAINT schedule_versions_version_check CHECK ((version >= 1))
);
ALTER TABLE scheduler.schedule_versions OWNER TO looptide_scheduler;
CREATE TABLE scheduler.stale_channels (
    channel_id text NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE scheduler.stale_channels OWNER TO looptide_scheduler;
CREATE TABLE scheduler.takeovers (
    channel_id text NOT NULL,
    id uuid NOT NULL,
    title text NOT NULL,
    items jsonb NOT NULL,
    is_live boolean NOT NULL,
    starts_at_ms bigint NOT NULL,
    ends_at_ms bigint,
    return_policy text NOT NULL,
    is_stopped boolean DEFAULT false NOT NULL,
    interrupted jsonb NOT NULL,
    started_by uuid,
    started_at_ms bigint NOT NULL,
    CONSTRAINT takeovers_check CHECK ((ends_at_ms > starts_at_ms)),
    CONSTRAINT takeovers_return_policy_check CHECK ((return_policy = ANY (ARRAY['join'::text, 'continue'::text])))
);
ALTER TABLE scheduler.takeovers OWNER TO looptide_scheduler;
CREATE TABLE scheduler.timeline_changes (
    channel_id text NOT NULL,
    version bigint NOT NULL,
    kind text NOT NULL,
    actor_id uuid,
    next_seq bigint NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT timeline_changes_kind_check CHECK ((kind = ANY (ARRAY['edit'::text, 'restart'::text, 'reset'::text, 'takeover'::text])))
);
ALTER TABLE scheduler.timeline_changes OWNER TO looptide_scheduler;
CREATE TABLE scheduler.videos (
    id uuid NOT NULL,
    title text NOT NULL,
    artist_name text NOT NULL,
    description text,
    genre text,
    duration_ms integer NOT NULL,
    duration_assumed boolean NOT NULL,
    thumbnail_url text,
    video_url text NOT NULL,
    youtube_id text,
    is_public boolean NOT NULL,
    metadata_status text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    removed_at timestamp with time zone,
    quarantined_at timestamp with time zone,
    quarantine_reason text,
    quarantine_channel_id text,
    version bigint DEFAULT 1 NOT NULL,
    event_version bigint DEFAULT 0 NOT NULL,
    playable boolean GENERATED ALWAYS AS (((removed_at IS NULL) AND (quarantined_at IS NULL) AND (metadata_status <> 'unavailable'::text) AND ((youtube_id IS NOT NULL) OR (video_url ~* '.(mp4|webm|m3u8)([?#]|$)'::text)))) STORED NOT NULL,
    category text,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    view_count bigint DEFAULT 0 NOT NULL,
    start_at_ms integer DEFAULT 0 NOT NULL,
    end_at_ms integer,
    CONSTRAINT videos_duration_ms_check CHECK ((duration_ms >= 1))
);
ALTER TABLE scheduler.videos OWNER TO looptide_scheduler;
ALTER TABLE ONLY admin_audit.dead_letters ALTER COLUMN id SET DEFAULT nextval('admin_audit.dead_letters_id_seq'::regclass);
ALTER TABLE ONLY admin_audit.guard_grants ALTER COLUMN id SET DEFAULT nextval('admin_audit.guard_grants_id_seq'::regclass);
ALTER TABLE ONLY admin_audit.outbox ALTER COLUMN seq SET DEFAULT nextval('admin_audit.outbox_seq_seq'::regclass);
ALTER TABLE ONLY auth.dead_letters ALTER COLUMN id SET DEFAULT nextval('auth.dead_letters_id_seq'::regclass);
ALTER TABLE ONLY auth.mail_outbox ALTER COLUMN id SET DEFAULT nextval('auth.mail_outbox_id_seq'::regclass);
ALTER TABLE ONLY auth.outbox ALTER COLUMN seq SET DEFAULT nextval('auth.outbox_seq_seq'::regclass);
ALTER TABLE ONLY catalogue.dead_letters ALTER COLUMN id SET DEFAULT nextval('catalogue.dead_letters_id_seq'::regclass);
ALTER TABLE ONLY catalogue.outbox ALTER COLUMN seq SET DEFAULT nextval('catalogue.outbox_seq_seq'::regclass);
ALTER TABLE ONLY chat.dead_letters ALTER COLUMN id SET DEFAULT nextval('chat.dead_letters_id_seq'::regclass);
ALTER TABLE ONLY chat.outbox ALTER COLUMN seq SET DEFAULT nextval('chat.outbox_seq_seq'::regclass);
ALTER TABLE ONLY scheduler.dead_letters ALTER COLUMN id SET DEFAULT nextval('scheduler.dead_letters_id_seq'::regclass);
ALTER TABLE ONLY scheduler.outbox ALTER COLUMN seq SET DEFAULT nextval('scheduler.outbox_seq_seq'::regclass);
INSERT INTO admin_audit.audit_chain VALUES
	(0, NULL, '\x0000000000000000000000000000000000000000000000000000000000000000'),
	(1, '01900000-0000-7000-8000-000000000411', '\x70115cd5b66a4cee1dcc7fa92bcff1616ab02c5adf1374dbf94bafa94fae74e3'),
	(2, '01900000-0000-7000-8000-000000000412', '\x1e37fa09dc8d21dfd55049e46a2eb48d48b63698276a0e72f60aee1de4bbb3f0'),
	(3, NULL, '\x0b0a1ba495581bd100e480e5642f481cf79865c2c072b868cc79ecb962362d3b'),
	(4, '01900000-0000-7000-8000-000000000413', '\x9ac584e33f00a56e3037a1be7a47c17b9574d86486c0b4a41b8ad6ef446b15ba');
INSERT INTO admin_audit.audit_digests VALUES
	(1, '\xc6bf690a0e024d3bb309af2598ed47f9f5265cf91c5b4f4ba7df76d74e47593d', '\xa60faee15489a2aa921ea83070662e8beb80b21d1e50a75d30e27955aa9bcfcc'),
	(2, '\xed445e22a2b7493ba439e3baacf89c557458aae5aee7413a957482db39bf7af8', '\x11c92d03ed43f144f0d8bb729cbddb6b12f83d612014ad901c627ec5ed373be1'),
	(4, '\xae94b6cb353e487e90b2ee490f26445f303e5d39a95b4a7daef94c6cd30caa05', '\xa7eb1f9634d9d4d36369027c1bc00285326587c994dc353185d1e51db2ffe0ed');
INSERT INTO admin_audit.audit_log VALUES
	('01900000-0000-7000-8000-000000000411', '01900000-0000-7000-8000-000000000001', 'user.restriction.add', 'user', '01900000-0000-7000-8000-000000000003', '01900000-0000-7000-8000-000000000003', '{"reason": "Rude"}', NULL, '{"a": 1}', 'request-1', '2026-11-20 10:00:00+00'),
	('01900000-0000-7000-8000-000000000412', '01900000-0000-7000-8000-000000000001', 'video.delete', 'video', '01900000-0000-7000-8000-000000000103', NULL, NULL, '{"title": "dé"}', NULL, 'request-2', '2026-11-21 10:00:00+00'),
	('01900000-0000-7000-8000-000000000413', '01900000-0000-7000-8000-000000000001', 'security_sign_in_refused', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 10:00:00+00');
INSERT INTO admin_audit.audit_pseudonym_secret VALUES
	('\x821c6ff6f5b542568943b8080dd5c54922cca5634bfa4c3697b2ad42394c4746');
INSERT INTO admin_audit.audit_settings VALUES
	(true, 90);
INSERT INTO admin_audit.guard_grants VALUES
	(1, '01900000-0000-7000-8000-000000000001', 'user.delete', '01900000-0000-7000-8000-000000000003', '2026-11-21 10:00:00+00');
INSERT INTO admin_audit.kysely_migration VALUES
	('20261120000000-event-tables', '2026-11-27T12:27:04.375Z'),
	('20261120100000-admin-audit', '2026-11-27T12:27:04.388Z'),
	('20261121110000-theme-assets', '2026-11-27T12:27:04.401Z'),
	('20261121125500-trace-parent', '2026-11-27T12:27:04.413Z'),
	('20261122090100-relay-lease', '2026-11-27T12:27:04.423Z'),
	('20261122093000-audit-chain', '2026-11-27T12:27:04.435Z'),
	('20261122093500-refused-attempts', '2026-11-27T12:27:04.470Z'),
	('20261123100000-card-texts', '2026-11-27T12:27:04.478Z'),
	('20261123193000-audit-pseudonyms', '2026-11-27T12:27:04.500Z'),
	('20261126101740-refused-attempts-of-networks', '2026-11-27T12:27:04.511Z'),
	('20261126104329-audit-settings', '2026-11-27T12:27:04.528Z');
INSERT INTO admin_audit.kysely_migration_lock VALUES
	('migration_lock', 0);
INSERT INTO admin_audit.refused_attempts VALUES
	('01900000-0000-7000-8000-000000000003', '2026-11-24 10:00:00+00', 2);
INSERT INTO admin_audit.refused_attempts_of_networks VALUES
	('network', '2026-11-24 10:00:00+00', 3);
INSERT INTO admin_audit.removed_accounts VALUES
	('01900000-0000-7000-8000-000000000009', '2026-11-27 12:27:04.588988+00');
INSERT INTO admin_audit.security_marks VALUES
	('sign-in:1', '2026-11-22 10:00:00+00');
INSERT INTO admin_audit.theme_assets VALUES
	('logo-1', 'image/png', '\x89504e47', '01900000-0000-7000-8000-000000000001', '2026-11-20 10:00:00+00');
INSERT INTO admin_audit.theme_settings VALUES
	('01900000-0000-7000-8000-000000000401', '#111111', '#222222', '#333333', '#000000', '#ffffff', 'Inter', 16, 8, '/theme/logo', NULL, true, '01900000-0000-7000-8000-000000000001', '2026-11-20 10:00:00+00', 'Café TV', 'Néxt', 'You just saw', 'Starts in');
INSERT INTO auth.account_networks VALUES
	('01900000-0000-7000-8000-000000000001', '\x14', '2026-11-24 10:00:00+00');
INSERT INTO auth.auth_codes VALUES
	('\x05', '01900000-0000-7000-8000-000000000002', 'otp', 'challenge', 's256', '2026-11-20 11:00:00+00');
INSERT INTO auth.avatars VALUES
	('01900000-0000-7000-8000-000000000002', 'v1', 'image/png', '\x89504e47', '2026-11-20 11:00:00+00');
INSERT INTO auth.dead_letters VALUES
	(1, 'auth', 'chat.x.v1', '01900000-0000-7000-8000-000000000018', '{}', 'refused', '2026-11-20 12:00:00+00', NULL);
INSERT INTO auth.earlier_tokens VALUES
	('01900000-0000-7000-8000-000000000023', '01900000-0000-7000-8000-000000000003', 'confirmation', 'bob@station.test', '\x15', '\x16', NULL, NULL, 'scrypt$c', '{}', '2026-11-20 12:00:00+00', '2026-11-21 12:00:00+00', '\x17');
INSERT INTO auth.factor_challenges VALUES
	('01900000-0000-7000-8000-000000000034', '01900000-0000-7000-8000-000000000031', '192.0.2.0/24', '2026-11-24 10:00:00+00');
INSERT INTO auth.factors VALUES
	('01900000-0000-7000-8000-000000000031', '01900000-0000-7000-8000-000000000001', 'totp', 'Tél​', 'verified', '\x18', 5, '2026-11-24 10:00:00+00', '2026-11-24 10:00:00+00', NULL),
	('01900000-0000-7000-8000-000000000032', '01900000-0000-7000-8000-000000000001', 'webauthn', 'Key', 'verified', NULL, 0, '2026-11-24 10:00:00+00', '2026-11-24 10:00:00+00', NULL),
	('01900000-0000-7000-8000-000000000033', '01900000-0000-7000-8000-000000000001', 'recovery_code', 'Recovery codes', 'verified', NULL, 0, '2026-11-24 10:00:00+00', '2026-11-24 10:00:00+00', NULL);
INSERT INTO auth.identities VALUES
	('01900000-0000-7000-8000-000000000038', '01900000-0000-7000-8000-000000000002', 'google', 'https://accounts.test', 'subject', 'ann@station.test', '2026-11-24 10:00:00+00', NULL);
INSERT INTO auth.inbox VALUES
	('chat', '01900000-0000-7000-8000-000000000017', '2026-11-20 12:00:00+00');
INSERT INTO auth.kept_restrictions VALUES
	('\x13', 'site_banned', 'Spam', '01900000-0000-7000-8000-000000000001', 'curator', '2026-11-24 10:00:00+00', NULL, '2027-11-24 10:00:00+00');
INSERT INTO auth.kysely_migration VALUES
	('20261120000000-event-tables', '2026-11-27T12:27:02.948Z'),
	('20261120100000-accounts', '2026-11-27T12:27:02.978Z'),
	('20261121100000-avatars', '2026-11-27T12:27:02.993Z'),
	('20261121125500-trace-parent', '2026-11-27T12:27:03.006Z'),
	('20261122090100-relay-lease', '2026-11-27T12:27:03.020Z'),
	('20261122091000-account-security', '2026-11-27T12:27:03.037Z'),
	('20261122091100-handle-skeletons', '2026-11-27T12:27:03.053Z'),
	('20261122095100-account-networks', '2026-11-27T12:27:03.069Z'),
	('20261122095200-mail-spacing', '2026-11-27T12:27:03.088Z'),
	('20261122095300-revoked-keys', '2026-11-27T12:27:03.109Z'),
	('20261122182000-sign-up-client', '2026-11-27T12:27:03.122Z'),
	('20261123155500-invited-at', '2026-11-27T12:27:03.138Z'),
	('20261123160000-factors', '2026-11-27T12:27:03.165Z'),
	('20261123160000-passkeys', '2026-11-27T12:27:03.182Z'),
	('20261123160100-session-methods', '2026-11-27T12:27:03.200Z'),
	('20261123164000-reauthentication', '2026-11-27T12:27:03.214Z'),
	('20261123190000-sign-ins', '2026-11-27T12:27:03.232Z'),
	('20261123191000-staff-roles', '2026-11-27T12:27:03.253Z'),
	('20261123192000-password-resets', '2026-11-27T12:27:03.273Z'),
	('20261123192106-security-keys', '2026-11-27T12:27:03.294Z'),
	('20261123192200-factor-types', '2026-11-27T12:27:03.314Z'),
	('20261123193000-identities', '2026-11-27T12:27:03.356Z'),
	('20261123193000-personal-tokens', '2026-11-27T12:27:03.380Z'),
	('20261123193100-session-method-oauth', '2026-11-27T12:27:03.395Z'),
	('20261123204500-anonymous-users', '2026-11-27T12:27:03.413Z'),
	('20261123204600-anonymous-users-checks', '2026-11-27T12:27:03.430Z'),
	('20261123204700-anonymous-users-indexes', '2026-11-27T12:27:03.446Z'),
	('20261126105859-secret-check', '2026-11-27T12:27:03.462Z');
INSERT INTO auth.kysely_migration_lock VALUES
	('migration_lock', 0);
INSERT INTO auth.leases VALUES
	('outbox', '01900000-0000-7000-8000-000000000040', '2026-11-24 10:00:00+00');
INSERT INTO auth.mail_outbox VALUES
	(1, '01900000-0000-7000-8000-000000000003', 'confirmation', '\x07', 0, '2026-11-20 12:00:00+00', '2026-11-21 12:00:00+00');
INSERT INTO auth.mail_throttle VALUES
	('\x06', 'recovery', '2026-11-20 11:00:00+00', 1);
INSERT INTO auth.one_time_tokens VALUES
	('01900000-0000-7000-8000-000000000014', '01900000-0000-7000-8000-000000000003', 'confirmation', 'bob@station.test', '\x03', '\x04', 'challenge', 's256', '2026-11-20 12:00:00+00', '2026-11-21 12:00:00+00', NULL, NULL, NULL);
INSERT INTO auth.outbox VALUES
	(1, '01900000-0000-7000-8000-000000000016', 'auth.user.created.v1', '2026-11-20 12:00:00+00', NULL, NULL, '01900000-0000-7000-8000-000000000003', '{"userId": "01900000-0000-7000-8000-000000000003"}', NULL, '2026-11-27 12:27:04.538663+00');
INSERT INTO auth.passkeys VALUES
	('01900000-0000-7000-8000-000000000035', '01900000-0000-7000-8000-000000000001', '\x1c', '\x1d', 1, '{internal}', 'Clé', '2026-11-24 10:00:00+00', NULL);
INSERT INTO auth.personal_tokens VALUES
	('01900000-0000-7000-8000-000000000039', '01900000-0000-7000-8000-000000000001', '\xabababababababababababababababababababababababababababababababab', 'Clé', '{library.read}', true, '2026-11-24 10:00:00+00', '2027-11-24 10:00:00+00', NULL);
INSERT INTO auth.profiles VALUES
	('01900000-0000-7000-8000-000000000003', 'boorn', DEFAULT, DEFAULT, 'The Band', NULL, '2026-11-20 12:00:00+00', '2026-11-20 12:00:00+00', NULL),
	('01900000-0000-7000-8000-000000000001', 'Admin', DEFAULT, DEFAULT, NULL, NULL, '2026-11-20 10:00:00+00', '2026-11-20 10:00:00+00', 'adrnin'),
	('01900000-0000-7000-8000-000000000002', 'Bo0m', DEFAULT, DEFAULT, 'Zoë', '/avatars/2.png', '2026-11-20 11:00:00+00', '2026-11-20 11:00:00+00', 'boorn');
INSERT INTO auth.provider_flows VALUES
	('\x1e', 'callback', 'google', '\x1f', 'challenge', 's256', '/', NULL, '2026-11-24 10:00:00+00', '2026-11-24 10:00:00+00');
INSERT INTO auth.published_events VALUES
	(90, 'AUTH', 7, '2026-11-24 10:00:00+00', '01900000-0000-7000-8000-000000000041', 'auth.user.created.v1', '2026-11-24 10:00:00+00', NULL, NULL, '1', '{}', NULL);
INSERT INTO auth.recovery_codes VALUES
	('01900000-0000-7000-8000-000000000033', '\x19', NULL);
INSERT INTO auth.revoked_keys VALUES
	('key-0', '2026-11-25 10:00:00+00');
INSERT INTO auth.revoked_sessions VALUES
	('01900000-0000-7000-8000-000000000013', '01900000-0000-7000-8000-000000000002', 'signed out', '2026-11-22 10:00:00+00', '2026-11-21 10:00:00+00');
INSERT INTO auth.secret_check VALUES
	(true, '\x20');
INSERT INTO auth.security_keys VALUES
	('01900000-0000-7000-8000-000000000032', '\x1a', '\x1b', 1, '{usb}');
INSERT INTO auth.sessions VALUES
	('01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000001', 3, '\x01', 'password', '2026-11-20 10:00:00+00', '2026-11-21 10:00:00+00', 'Firefox', '192.0.2.1', '[]', 0, NULL, NULL, NULL),
	('01900000-0000-7000-8000-000000000012', '01900000-0000-7000-8000-000000000002', 1, '\x02', 'otp', '2026-11-20 11:00:00+00', '2026-11-20 11:00:00+00', NULL, NULL, '[]', 0, NULL, NULL, NULL),
	('01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000004', 1, '\x11', 'anonymous', '2026-11-24 10:00:00+00', '2026-11-24 10:00:00+00', NULL, NULL, '[{"counter": 1}]', 0, NULL, NULL, NULL),
	('01900000-0000-7000-8000-000000000022', '01900000-0000-7000-8000-000000000001', 1, '\x12', 'passkey', '2026-11-24 10:00:00+00', '2026-11-24 10:00:00+00', NULL, NULL, '[]', 0, '01900000-0000-7000-8000-000000000031', 'totp', '2026-11-24 10:01:00+00');
INSERT INTO auth.sign_ins VALUES
	('01900000-0000-7000-8000-000000000037', '01900000-0000-7000-8000-000000000001', '2026-11-24 10:00:00+00', 'password', true, 'Firefox', '192.0.2.0/24');
INSERT INTO auth.signing_keys VALUES
	('key-1', '{"kty": "OKP"}', '\x08', '2026-11-20 10:00:00+00', '2026-11-20 10:00:00+00');
INSERT INTO auth.spent_passkey_challenges VALUES
	('01900000-0000-7000-8000-000000000036', '2026-11-24 10:00:00+00');
INSERT INTO auth.user_restrictions VALUES
	('01900000-0000-7000-8000-000000000015', '01900000-0000-7000-8000-000000000003', 'chat_banned', 'Rude​ words', '01900000-0000-7000-8000-000000000001', '2026-11-21 10:00:00+00', NULL, 'admin');
INSERT INTO auth.user_roles VALUES
	('01900000-0000-7000-8000-000000000001', 'admin', NULL, '2026-11-20 10:00:00+00'),
	('01900000-0000-7000-8000-000000000002', 'moderator', '01900000-0000-7000-8000-000000000001', '2026-11-20 11:00:00+00');
INSERT INTO auth.users VALUES
	('01900000-0000-7000-8000-000000000001', 'admin@station.test', 'scrypt$a', '2026-11-20 10:00:00+00', NULL, NULL, NULL, NULL, NULL, NULL, '{"handle": "Admin"}', 0, NULL, '2026-11-20 10:00:00+00', '2026-11-20 10:00:00+00', false, NULL, NULL, NULL, NULL, NULL, NULL),
	('01900000-0000-7000-8000-000000000002', 'ann@station.test', 'scrypt$b', '2026-11-20 11:00:00+00', NULL, NULL, NULL, 'ann2@station.test', NULL, NULL, '{}', 0, NULL, '2026-11-20 11:00:00+00', '2026-11-21 10:00:00+00', false, NULL, NULL, NULL, NULL, NULL, NULL),
	('01900000-0000-7000-8000-000000000003', 'bob@station.test', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', 0, NULL, '2026-11-20 12:00:00+00', '2026-11-20 12:00:00+00', true, NULL, '2026-11-24 10:00:00+00', NULL, NULL, NULL, NULL),
	('01900000-0000-7000-8000-000000000004', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', 0, NULL, '2026-11-24 10:00:00+00', '2026-11-24 10:00:00+00', false, NULL, NULL, NULL, NULL, NULL, '2026-11-24 00:00:00+00');
INSERT INTO catalogue.artists VALUES
	('AC/DC', 'ac/dc', 4),
	('Björk', 'björk', 7),
	('Rainer Heart', 'rainer heart', 7),
	('Unknown Artist', 'unknown artist', 3),
	('Zyzzyva Ensemble', 'zyzzyva ensemble', 6);
INSERT INTO catalogue.deleted_curation VALUES
	('01900000-0000-7000-8000-000000000197', '01900000-0000-7000-8000-000000000195', 'category', 'Café', 1, true, NULL, '2026-11-20 10:00:00+00');
INSERT INTO catalogue.deleted_playlist_items VALUES
	('01900000-0000-7000-8000-000000000196', '01900000-0000-7000-8000-000000000161', '01900000-0000-7000-8000-000000000195', 2, NULL);
INSERT INTO catalogue.deleted_videos VALUES
	('01900000-0000-7000-8000-000000000195', 'Supprimé', 'AC/DC', true, NULL, NULL, NULL, 1000, false, NULL, 'https://media.test/deleted.mp4', NULL, true, 'resolved', NULL, 3, NULL, 0.5, '2026-11-20 10:00:00+00', NULL, NULL, false, false, '2026-11-24 10:00:00+00', '{Rock}', 0, NULL);
INSERT INTO catalogue.followed_items VALUES
	('01900000-0000-7000-8000-000000000194', 'yt000000005', '2026-11-24 10:00:00+00');
INSERT INTO catalogue.followed_lists VALUES
	('01900000-0000-7000-8000-000000000194', 'https://youtube.test/list', 'playlist', 'PL1', NULL, 'Liste é', 'direct', 'Live', 'Café', true, false, NULL, 0, NULL, NULL, NULL, '2026-11-25 10:00:00+00', NULL, NULL, '{}', NULL, NULL, NULL, NULL, NULL, '2026-11-24 10:00:00+00');
INSERT INTO catalogue.home_screen_curation VALUES
	('01900000-0000-7000-8000-000000000151', '01900000-0000-7000-8000-000000000101', 'hero', NULL, 1, true, '01900000-0000-7000-8000-000000000001', '2026-11-20 10:00:00+00'),
	('01900000-0000-7000-8000-000000000152', '01900000-0000-7000-8000-000000000102', 'category', 'Café', 1, true, '01900000-0000-7000-8000-000000000001', '2026-11-20 10:00:00+00');
INSERT INTO catalogue.kysely_migration VALUES
	('20261120000000-event-tables', '2026-11-27T12:27:03.521Z'),
	('20261120010000-videos', '2026-11-27T12:27:03.541Z'),
	('20261120010100-search', '2026-11-27T12:27:03.549Z'),
	('20261120010200-home-and-playlists', '2026-11-27T12:27:03.564Z'),
	('20261121010000-default-playlist', '2026-11-27T12:27:03.577Z'),
	('20261121020000-private-videos', '2026-11-27T12:27:03.590Z'),
	('20261121125500-trace-parent', '2026-11-27T12:27:03.597Z'),
	('20261121160500-slices-in-turn', '2026-11-27T12:27:03.605Z'),
	('20261121162000-unavailable-videos', '2026-11-27T12:27:03.613Z'),
	('20261121162100-unlisted-videos', '2026-11-27T12:27:03.625Z'),
	('20261121162600-video-reports-channel', '2026-11-27T12:27:03.633Z'),
	('20261121201500-playlists-of-user', '2026-11-27T12:27:03.645Z'),
	('20261122020000-search-joints', '2026-11-27T12:27:03.656Z'),
	('20261122060000-search-spread-marks', '2026-11-27T12:27:03.662Z'),
	('20261122070000-search-slice-keys', '2026-11-27T12:27:03.673Z'),
	('20261122080000-artists-known', '2026-11-27T12:27:03.679Z'),
	('20261122090100-relay-lease', '2026-11-27T12:27:03.697Z'),
	('20261122090200-inactive-playlist-counts', '2026-11-27T12:27:03.707Z'),
	('20261122093000-metadata-reminders', '2026-11-27T12:27:03.724Z'),
	('20261122093000-submissions', '2026-11-27T12:27:03.736Z'),
	('20261122093100-accepted-videos', '2026-11-27T12:27:03.753Z'),
	('20261122220000-edited-videos', '2026-11-27T12:27:03.766Z'),
	('20261122220100-video-edits', '2026-11-27T12:27:03.779Z'),
	('20261122220200-deleted-videos', '2026-11-27T12:27:03.792Z'),
	('20261123060000-search', '2026-11-27T12:27:03.818Z'),
	('20261123082700-tags-and-trim-points', '2026-11-27T12:27:03.839Z'),
	('20261123082800-tag-index', '2026-11-27T12:27:03.858Z'),
	('20261123090000-saved-filters', '2026-11-27T12:27:03.872Z'),
	('20261123125500-followed-lists', '2026-11-27T12:27:03.884Z'),
	('20261123170000-titles-of-bulk-edits', '2026-11-27T12:27:03.902Z');
INSERT INTO catalogue.kysely_migration_lock VALUES
	('migration_lock', 0);
INSERT INTO catalogue.metadata_reminders VALUES
	('01900000-0000-7000-8000-000000000105', '2026-11-27 12:27:44.538663+00', 0),
	('01900000-0000-7000-8000-000000000107', '2026-11-27 12:27:04.538663+00', 0),
	('01900000-0000-7000-8000-000000000114', '2026-11-27 12:27:04.538663+00', 0),
	('01900000-0000-7000-8000-000000000115', '2026-11-27 12:27:44.538663+00', 0),
	('01900000-0000-7000-8000-000000000121', '2026-11-27 12:27:04.538663+00', 0),
	('01900000-0000-7000-8000-000000000125', '2026-11-27 12:27:44.538663+00', 0),
	('01900000-0000-7000-8000-000000000128', '2026-11-27 12:27:04.538663+00', 0),
	('01900000-0000-7000-8000-000000000135', '2026-11-27 12:27:44.538663+00', 0);
INSERT INTO catalogue.outbox VALUES
	(1, '01900000-0000-7000-8000-000000000181', 'catalogue.video.added.v1', '2026-11-20 12:00:00+00', NULL, NULL, '01900000-0000-7000-8000-000000000101', '{}', NULL, '2026-11-27 12:27:04.538663+00');
INSERT INTO catalogue.restricted_users VALUES
	('01900000-0000-7000-8000-000000000015', '01900000-0000-7000-8000-000000000003', NULL);
INSERT INTO catalogue.search_partitions OVERRIDING SYSTEM VALUE VALUES
	(1, '-infinity', 30);
INSERT INTO catalogue.submissions VALUES
	('01900000-0000-7000-8000-000000000190', 'rejected', '2026-11-24 10:00:00+00', '01900000-0000-7000-8000-000000000001', '2026-11-24 11:00:00+00', 'Liste é');
INSERT INTO catalogue.submitters VALUES
	('01900000-0000-7000-8000-000000000002', '01900000-0000-7000-8000-000000000190', '2026-11-24 10:00:00+00');
INSERT INTO catalogue.video_documents VALUES
	('01900000-0000-7000-8000-000000000101', '2026-11-20 10:01:00+00', 1, 'glove rainy hearts 1rainer hearta description of number 1pop'),
	('01900000-0000-7000-8000-000000000102', '2026-11-20 10:02:00+00', 1, 'rain & love 2unknown artista description of number 2pop'),
	('01900000-0000-7000-8000-000000000104', '2026-11-20 10:04:00+00', 1, 'two birds 4björka description of number 4pop'),
	('01900000-0000-7000-8000-000000000105', '2026-11-20 10:05:00+00', 1, '100% 5ac/dca description of number 5pop'),
	('01900000-0000-7000-8000-000000000106', '2026-11-20 10:06:00+00', 1, 'love rain heart 6rainer heartpop'),
	('01900000-0000-7000-8000-000000000107', '2026-11-20 10:07:00+00', 1, 'glove rainy hearts 7unknown artista description of number 7pop'),
	('01900000-0000-7000-8000-000000000108', '2026-11-20 10:08:00+00', 1, 'rain & love 8zyzzyva ensemblea description of number 8pop'),
	('01900000-0000-7000-8000-000000000109', '2026-11-20 10:09:00+00', 1, 'köln zyzzyva 9björkpop'),
	('01900000-0000-7000-8000-000000000112', '2026-11-20 10:12:00+00', 1, 'love rain heart 12unknown artistpop'),
	('01900000-0000-7000-8000-000000000113', '2026-11-20 10:13:00+00', 1, 'glove rainy hearts 13zyzzyva ensemblea description of number 13pop'),
	('01900000-0000-7000-8000-000000000114', '2026-11-20 10:14:00+00', 1, 'rain & love 14björka description of number 14pop'),
	('01900000-0000-7000-8000-000000000115', '2026-11-20 10:15:00+00', 1, 'köln zyzzyva 15ac/dcpop'),
	('01900000-0000-7000-8000-000000000116', '2026-11-20 10:16:00+00', 1, 'two birds 16rainer hearta description of number 16pop'),
	('01900000-0000-7000-8000-000000000117', '2026-11-20 10:17:00+00', 1, '100% 17unknown artista description of number 17pop'),
	('01900000-0000-7000-8000-000000000118', '2026-11-20 10:18:00+00', 1, 'love rain heart 18zyzzyva ensemblepop'),
	('01900000-0000-7000-8000-000000000119', '2026-11-20 10:19:00+00', 1, 'glove rainy hearts 19björka description of number 19pop'),
	('01900000-0000-7000-8000-000000000121', '2026-11-20 10:21:00+00', 1, 'köln zyzzyva 21rainer heartpop'),
	('01900000-0000-7000-8000-000000000123', '2026-11-20 10:23:00+00', 1, '100% 23zyzzyva ensemblea description of number 23pop'),
	('01900000-0000-7000-8000-000000000124', '2026-11-20 10:24:00+00', 1, 'love rain heart 24björkpop'),
	('01900000-0000-7000-8000-000000000125', '2026-11-20 10:25:00+00', 1, 'glove rainy hearts 25ac/dca description of number 25pop'),
	('01900000-0000-7000-8000-000000000126', '2026-11-20 10:26:00+00', 1, 'rain & love 26rainer hearta description of number 26pop'),
	('01900000-0000-7000-8000-000000000127', '2026-11-20 10:27:00+00', 1, 'köln zyzzyva 27unknown artistpop'),
	('01900000-0000-7000-8000-000000000128', '2026-11-20 10:28:00+00', 1, 'two birds 28zyzzyva ensemblea description of number 28pop'),
	('01900000-0000-7000-8000-000000000129', '2026-11-20 10:29:00+00', 1, '100% 29björka description of number 29pop'),
	('01900000-0000-7000-8000-000000000131', '2026-11-20 10:31:00+00', 1, 'glove rainy hearts 31rainer hearta description of number 31pop'),
	('01900000-0000-7000-8000-000000000132', '2026-11-20 10:32:00+00', 1, 'rain & love 32unknown artista description of number 32pop'),
	('01900000-0000-7000-8000-000000000134', '2026-11-20 10:34:00+00', 1, 'two birds 34björka description of number 34pop'),
	('01900000-0000-7000-8000-000000000135', '2026-11-20 10:35:00+00', 1, '100% 35ac/dca description of number 35pop'),
	('01900000-0000-7000-8000-000000000136', '2026-11-20 10:36:00+00', 1, 'love rain heart 36rainer heartpop'),
	('01900000-0000-7000-8000-000000000103', '2026-11-20 10:03:00+00', 1, 'déjà vu​zyzzyva ensembleline one line twor​ock');
INSERT INTO catalogue.video_edits VALUES
	('01900000-0000-7000-8000-000000000191', '01900000-0000-7000-8000-000000000101', 'Zoë', true, NULL, NULL, 'AC/DC', true, NULL, NULL, '2026-11-24 10:00:00+00', '{é}', NULL, NULL, NULL, NULL, NULL);
INSERT INTO catalogue.video_filters VALUES
	('01900000-0000-7000-8000-000000000192', 'Café', '{"tag": null, "sort": "newest", "text": "x", "category": null}', '01900000-0000-7000-8000-000000000001', '2026-11-24 10:00:00+00'),
	('01900000-0000-7000-8000-000000000193', 'Café', '{"tag": "café", "sort": "newest", "text": "é", "category": null}', NULL, '2026-11-24 10:00:00+00');
INSERT INTO catalogue.video_reports VALUES
	('01900000-0000-7000-8000-000000000102', 'default', 'does not play', 2, '2026-11-21 10:00:00+00');
INSERT INTO catalogue.video_totals VALUES
	('', false, 2, 0),
	('', true, 25, 3),
	('Live', false, 1, 0),
	('Live', true, 8, 0);
INSERT INTO catalogue.videos VALUES
	('01900000-0000-7000-8000-000000000102', 'Rain & love 2', 'Unknown Artist', true, 'A description of number 2', 'Pop', NULL, 180002, false, NULL, 'https://media.test/2.mp4', NULL, true, 'resolved', NULL, 6, '01900000-0000-7000-8000-000000000002', 0.05, '2026-11-20 10:02:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000104', 'Two birds 4', 'Björk', true, 'A description of number 4', 'Pop', 'Live', 180004, false, NULL, 'https://media.test/4.mp4', NULL, true, 'resolved', NULL, 12, '01900000-0000-7000-8000-000000000002', 0.1, '2026-11-20 10:04:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000105', '100% 5', 'AC/DC', false, 'A description of number 5', 'Pop', NULL, 180005, false, NULL, 'https://media.test/5.mp4', 'yt000000005', true, 'pending', NULL, 15, '01900000-0000-7000-8000-000000000002', 0.125, '2026-11-20 10:05:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000106', 'Love rain heart 6', 'Rainer Heart', true, NULL, 'Pop', NULL, 180006, false, NULL, 'https://media.test/6.mp4', NULL, true, 'resolved', NULL, 18, '01900000-0000-7000-8000-000000000002', 0.15, '2026-11-20 10:06:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000107', 'Glove rainy hearts 7', 'Unknown Artist', false, 'A description of number 7', 'Pop', NULL, 180007, true, NULL, 'https://media.test/7.mp4', NULL, true, 'resolved', NULL, 21, '01900000-0000-7000-8000-000000000002', 0.175, '2026-11-20 10:07:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000108', 'Rain & love 8', 'Zyzzyva Ensemble', true, 'A description of number 8', 'Pop', 'Live', 180008, false, NULL, 'https://media.test/8.mp4', NULL, true, 'resolved', NULL, 24, '01900000-0000-7000-8000-000000000002', 0.2, '2026-11-20 10:08:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000109', 'Köln zyzzyva 9', 'Björk', false, NULL, 'Pop', NULL, 180009, false, NULL, 'https://media.test/9.mp4', NULL, true, 'resolved', NULL, 27, '01900000-0000-7000-8000-000000000002', 0.225, '2026-11-20 10:09:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000110', 'Two birds 10', 'AC/DC', true, 'A description of number 10', 'Pop', NULL, 180010, false, NULL, 'https://media.test/10.mp4', 'yt000000010', false, 'resolved', NULL, 30, '01900000-0000-7000-8000-000000000002', 0.25, '2026-11-20 10:10:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000111', '100% 11', 'Rainer Heart', false, 'A description of number 11', 'Pop', NULL, 180011, false, NULL, 'https://media.test/11.mp4', NULL, true, 'unavailable', 'removed', 33, '01900000-0000-7000-8000-000000000002', 0.275, '2026-11-20 10:11:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000112', 'Love rain heart 12', 'Unknown Artist', true, NULL, 'Pop', 'Live', 180012, false, NULL, 'https://media.test/12.mp4', NULL, true, 'resolved', NULL, 36, '01900000-0000-7000-8000-000000000002', 0.3, '2026-11-20 10:12:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000113', 'Glove rainy hearts 13', 'Zyzzyva Ensemble', false, 'A description of number 13', 'Pop', NULL, 180013, false, NULL, 'https://media.test/13.mp4', NULL, true, 'resolved', NULL, 39, '01900000-0000-7000-8000-000000000002', 0.325, '2026-11-20 10:13:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000114', 'Rain & love 14', 'Björk', true, 'A description of number 14', 'Pop', NULL, 180014, true, NULL, 'https://media.test/14.mp4', NULL, true, 'resolved', NULL, 42, '01900000-0000-7000-8000-000000000002', 0.35, '2026-11-20 10:14:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000115', 'Köln zyzzyva 15', 'AC/DC', false, NULL, 'Pop', NULL, 180015, false, NULL, 'https://media.test/15.mp4', 'yt000000015', true, 'pending', NULL, 45, '01900000-0000-7000-8000-000000000002', 0.375, '2026-11-20 10:15:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000116', 'Two birds 16', 'Rainer Heart', true, 'A description of number 16', 'Pop', 'Live', 180016, false, NULL, 'https://media.test/16.mp4', NULL, true, 'resolved', NULL, 48, '01900000-0000-7000-8000-000000000002', 0.4, '2026-11-20 10:16:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000117', '100% 17', 'Unknown Artist', false, 'A description of number 17', 'Pop', NULL, 180017, false, NULL, 'https://media.test/17.mp4', NULL, true, 'resolved', NULL, 51, '01900000-0000-7000-8000-000000000002', 0.425, '2026-11-20 10:17:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000118', 'Love rain heart 18', 'Zyzzyva Ensemble', true, NULL, 'Pop', NULL, 180018, false, NULL, 'https://media.test/18.mp4', NULL, true, 'resolved', NULL, 54, '01900000-0000-7000-8000-000000000002', 0.45, '2026-11-20 10:18:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000119', 'Glove rainy hearts 19', 'Björk', false, 'A description of number 19', 'Pop', NULL, 180019, false, NULL, 'https://media.test/19.mp4', NULL, true, 'resolved', NULL, 57, '01900000-0000-7000-8000-000000000002', 0.475, '2026-11-20 10:19:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000120', 'Rain & love 20', 'AC/DC', true, 'A description of number 20', 'Pop', 'Live', 180020, false, NULL, 'https://media.test/20.mp4', 'yt000000020', false, 'resolved', NULL, 60, '01900000-0000-7000-8000-000000000002', 0.5, '2026-11-20 10:20:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000121', 'Köln zyzzyva 21', 'Rainer Heart', false, NULL, 'Pop', NULL, 180021, true, NULL, 'https://media.test/21.mp4', NULL, true, 'resolved', NULL, 63, '01900000-0000-7000-8000-000000000002', 0.525, '2026-11-20 10:21:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000122', 'Two birds 22', 'Unknown Artist', true, 'A description of number 22', 'Pop', NULL, 180022, false, NULL, 'https://media.test/22.mp4', NULL, true, 'unavailable', 'removed', 66, '01900000-0000-7000-8000-000000000002', 0.55, '2026-11-20 10:22:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000123', '100% 23', 'Zyzzyva Ensemble', false, 'A description of number 23', 'Pop', NULL, 180023, false, NULL, 'https://media.test/23.mp4', NULL, true, 'resolved', NULL, 69, '01900000-0000-7000-8000-000000000002', 0.575, '2026-11-20 10:23:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000124', 'Love rain heart 24', 'Björk', true, NULL, 'Pop', 'Live', 180024, false, NULL, 'https://media.test/24.mp4', NULL, true, 'resolved', NULL, 72, '01900000-0000-7000-8000-000000000002', 0.6, '2026-11-20 10:24:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000125', 'Glove rainy hearts 25', 'AC/DC', false, 'A description of number 25', 'Pop', NULL, 180025, false, NULL, 'https://media.test/25.mp4', 'yt000000025', true, 'pending', NULL, 75, '01900000-0000-7000-8000-000000000002', 0.625, '2026-11-20 10:25:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000126', 'Rain & love 26', 'Rainer Heart', true, 'A description of number 26', 'Pop', NULL, 180026, false, NULL, 'https://media.test/26.mp4', NULL, true, 'resolved', NULL, 78, '01900000-0000-7000-8000-000000000002', 0.65, '2026-11-20 10:26:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000127', 'Köln zyzzyva 27', 'Unknown Artist', false, NULL, 'Pop', NULL, 180027, false, NULL, 'https://media.test/27.mp4', NULL, true, 'resolved', NULL, 81, '01900000-0000-7000-8000-000000000002', 0.675, '2026-11-20 10:27:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000128', 'Two birds 28', 'Zyzzyva Ensemble', true, 'A description of number 28', 'Pop', 'Live', 180028, true, NULL, 'https://media.test/28.mp4', NULL, true, 'resolved', NULL, 84, '01900000-0000-7000-8000-000000000002', 0.7, '2026-11-20 10:28:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000129', '100% 29', 'Björk', false, 'A description of number 29', 'Pop', NULL, 180029, false, NULL, 'https://media.test/29.mp4', NULL, true, 'resolved', NULL, 87, '01900000-0000-7000-8000-000000000002', 0.725, '2026-11-20 10:29:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000130', 'Love rain heart 30', 'AC/DC', true, NULL, 'Pop', NULL, 180030, false, NULL, 'https://media.test/30.mp4', 'yt000000030', false, 'resolved', NULL, 90, '01900000-0000-7000-8000-000000000002', 0.75, '2026-11-20 10:30:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000131', 'Glove rainy hearts 31', 'Rainer Heart', false, 'A description of number 31', 'Pop', NULL, 180031, false, NULL, 'https://media.test/31.mp4', NULL, true, 'resolved', NULL, 93, '01900000-0000-7000-8000-000000000002', 0.775, '2026-11-20 10:31:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000132', 'Rain & love 32', 'Unknown Artist', true, 'A description of number 32', 'Pop', 'Live', 180032, false, NULL, 'https://media.test/32.mp4', NULL, true, 'resolved', NULL, 96, '01900000-0000-7000-8000-000000000002', 0.8, '2026-11-20 10:32:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000103', 'déjà vu​', 'Zyzzyva Ensemble', false, 'Line one Line two', 'R​ock', NULL, 180003, false, NULL, 'https://media.test/3.mp4', NULL, true, 'resolved', NULL, 9, '01900000-0000-7000-8000-000000000002', 0.075, '2026-11-20 10:03:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000101', 'Glove rainy hearts 1', 'Rainer Heart', false, 'A description of number 1', 'Pop', NULL, 180001, false, NULL, 'https://media.test/1.mp4', NULL, true, 'resolved', NULL, 3, '01900000-0000-7000-8000-000000000002', 0.025, '2026-11-20 10:01:00+00', NULL, NULL, true, false, '{Café,CAFÉ,Live​,Rock}', 1000, 90000),
	('01900000-0000-7000-8000-000000000133', 'Köln zyzzyva 33', 'Zyzzyva Ensemble', false, NULL, 'Pop', NULL, 180033, false, NULL, 'https://media.test/33.mp4', NULL, true, 'unavailable', 'removed', 99, '01900000-0000-7000-8000-000000000002', 0.825, '2026-11-20 10:33:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000134', 'Two birds 34', 'Björk', true, 'A description of number 34', 'Pop', NULL, 180034, false, NULL, 'https://media.test/34.mp4', NULL, true, 'resolved', NULL, 102, '01900000-0000-7000-8000-000000000002', 0.85, '2026-11-20 10:34:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000135', '100% 35', 'AC/DC', false, 'A description of number 35', 'Pop', NULL, 180035, true, NULL, 'https://media.test/35.mp4', 'yt000000035', true, 'pending', NULL, 105, '01900000-0000-7000-8000-000000000002', 0.875, '2026-11-20 10:35:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000136', 'Love rain heart 36', 'Rainer Heart', true, NULL, 'Pop', 'Live', 180036, false, NULL, 'https://media.test/36.mp4', NULL, true, 'resolved', NULL, 108, '01900000-0000-7000-8000-000000000002', 0.9, '2026-11-20 10:36:00+00', NULL, NULL, false, false, '{}', 0, NULL),
	('01900000-0000-7000-8000-000000000190', 'ㅤ​', 'Beyoncé', true, NULL, NULL, NULL, 1000, false, NULL, 'https://media.test/submitted.mp4', NULL, false, 'resolved', NULL, 0, NULL, 0.6819947037757472, '2026-11-24 10:00:00+00', 'rejected', 'Pas dé', false, false, '{}', 0, NULL);
INSERT INTO catalogue.view_marks VALUES
	('01900000-0000-7000-8000-000000000003', '01900000-0000-7000-8000-000000000101', '2026-11-21 10:00:00+00');
INSERT INTO catalogue.youtube_playlist_items VALUES
	('01900000-0000-7000-8000-000000000171', '01900000-0000-7000-8000-000000000161', '01900000-0000-7000-8000-000000000101', 0, '01900000-0000-7000-8000-000000000002'),
	('01900000-0000-7000-8000-000000000172', '01900000-0000-7000-8000-000000000161', '01900000-0000-7000-8000-000000000102', 1, '01900000-0000-7000-8000-000000000002'),
	('01900000-0000-7000-8000-000000000173', '01900000-0000-7000-8000-000000000163', '01900000-0000-7000-8000-000000000103', 0, NULL);
INSERT INTO catalogue.youtube_playlists VALUES
	('01900000-0000-7000-8000-000000000162', 'Cáfe', NULL, '01900000-0000-7000-8000-000000000002', false, 'off', true, false, true, 0, '2026-11-20 11:01:00+00', false),
	('01900000-0000-7000-8000-000000000163', 'Gone', NULL, '01900000-0000-7000-8000-000000000003', false, 'off', true, false, false, 0, '2026-11-20 11:02:00+00', false),
	('01900000-0000-7000-8000-000000000161', 'Favourites', 'The best', '01900000-0000-7000-8000-000000000002', false, 'off', true, true, true, 2, '2026-11-20 11:00:00+00', true);
INSERT INTO chat.channels VALUES
	('default', 2, 5, false, 3),
	('gone', 0, 0, true, 1);
INSERT INTO chat.chatters VALUES
	('default', '01900000-0000-7000-8000-000000000002', 4.5, '2026-11-21 10:00:00+00');
INSERT INTO chat.kysely_migration VALUES
	('20261120000000-event-tables', '2026-11-27T12:27:04.284Z'),
	('20261120100000-chat', '2026-11-27T12:27:04.297Z'),
	('20261121125500-trace-parent', '2026-11-27T12:27:04.308Z'),
	('20261121162500-lifted-restrictions', '2026-11-27T12:27:04.317Z'),
	('20261122090100-relay-lease', '2026-11-27T12:27:04.327Z'),
	('20261123171000-message-author-index', '2026-11-27T12:27:04.338Z');
INSERT INTO chat.kysely_migration_lock VALUES
	('migration_lock', 0);
INSERT INTO chat.live_chat_messages VALUES
	('01900000-0000-7000-8000-000000000301', 'default', 1, '01900000-0000-7000-8000-000000000002', '01900000-0000-7000-8000-000000000311', 'cáfe
second line', '2026-11-21 10:00:00+00', false, NULL, NULL),
	('01900000-0000-7000-8000-000000000302', 'default', 2, '01900000-0000-7000-8000-000000000003', '01900000-0000-7000-8000-000000000312', 'deleted', '2026-11-21 10:01:00+00', true, '2026-11-21 10:02:00+00', '01900000-0000-7000-8000-000000000001'),
	('01900000-0000-7000-8000-000000000303', 'default', 3, '01900000-0000-7000-8000-000000000003', '01900000-0000-7000-8000-000000000313', 'क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़क़', '2026-11-21 10:03:00+00', false, NULL, NULL);
INSERT INTO chat.profiles VALUES
	('01900000-0000-7000-8000-000000000002', 'Bo0m', 'Zoë', 2);
INSERT INTO chat.restrictions VALUES
	('01900000-0000-7000-8000-000000000015', '01900000-0000-7000-8000-000000000003', 'chat_banned', NULL, false),
	('01900000-0000-7000-8000-000000000019', '01900000-0000-7000-8000-000000000002', 'chat_banned', '2026-11-20 10:00:00+00', true);
INSERT INTO scheduler.air_log VALUES
	('default', 0, 0, '01900000-0000-7000-8000-000000000201', '01900000-0000-7000-8000-000000000101', 'Earlier title', 'Björk', 1794999820000, 1795000000000, '{"kind": "loop"}'),
	('default', 1, 1, '01900000-0000-7000-8000-000000000201', '01900000-0000-7000-8000-000000000101', 'déjà vu', 'AC/DC', 1795000000000, 1795000180000, '{"kind": "loop"}');
INSERT INTO scheduler.backfills VALUES
	('catalogue', '2026-11-20 10:00:00+00');
INSERT INTO scheduler.channel_playlists VALUES
	('01900000-0000-7000-8000-000000000201', 'default', '01900000-0000-7000-8000-000000000101', 1000, '01900000-0000-7000-8000-000000000001', '2026-11-20 10:00:00+00'),
	('01900000-0000-7000-8000-000000000202', 'default', '01900000-0000-7000-8000-000000000102', 2000, NULL, '2026-11-20 10:00:00+00');
INSERT INTO scheduler.channels VALUES
	('night', 'Night', NULL, 2, true, false, 'idle', '2026-11-27 12:27:04.538663+00', 0, 0, 'seed-2', 1, NULL, 0, NULL, NULL, '2026-11-20 10:00:00+00', 0, 0, NULL),
	('default', 'Café TV', 'The channel', 1, true, false, 'live', '2026-11-27 12:27:04.538663+00', 2, 0, 'seed', 4, 1795000480000, 1, NULL, '01900000-0000-7000-8000-000000000001', '2026-11-20 10:00:00+00', 1, 1, 'sum');
INSERT INTO scheduler.kysely_migration VALUES
	('20261120000000-event-tables', '2026-11-27T12:27:03.955Z'),
	('20261120010000-stream', '2026-11-27T12:27:03.983Z'),
	('20261121090000-air-log-by-hour', '2026-11-27T12:27:03.992Z'),
	('20261121110000-timeline-changes', '2026-11-27T12:27:04.009Z'),
	('20261121125500-trace-parent', '2026-11-27T12:27:04.023Z'),
	('20261121161500-reports-by-viewer', '2026-11-27T12:27:04.036Z'),
	('20261121201600-reports-of-channel', '2026-11-27T12:27:04.044Z'),
	('20261122090100-relay-lease', '2026-11-27T12:27:04.054Z'),
	('20261122093500-report-networks', '2026-11-27T12:27:04.064Z'),
	('20261122181000-housekeeping-indexes', '2026-11-27T12:27:04.079Z'),
	('20261122220300-removed-items', '2026-11-27T12:27:04.093Z'),
	('20261123082700-tags-and-trim-points', '2026-11-27T12:27:04.105Z'),
	('20261123090000-schedules', '2026-11-27T12:27:04.122Z'),
	('20261123100000-takeovers', '2026-11-27T12:27:04.167Z'),
	('20261123103000-moved-starts', '2026-11-27T12:27:04.180Z'),
	('20261123110000-schedule-problems', '2026-11-27T12:27:04.194Z'),
	('20261123125500-report-countries', '2026-11-27T12:27:04.206Z'),
	('20261123125600-report-errors-index', '2026-11-27T12:27:04.220Z'),
	('20261125034000-states-of-loops', '2026-11-27T12:27:04.230Z'),
	('20261125101500-planned-checksum', '2026-11-27T12:27:04.243Z');
INSERT INTO scheduler.kysely_migration_lock VALUES
	('migration_lock', 0);
INSERT INTO scheduler.last_airings VALUES
	('default', '01900000-0000-7000-8000-000000000102', 1794000000000, 1794000200000);
INSERT INTO scheduler.loops VALUES
	('default', 2, '{01900000-0000-7000-8000-000000000201,01900000-0000-7000-8000-000000000202}', 1);
INSERT INTO scheduler.playback_reports VALUES
	('01900000-0000-7000-8000-000000000102', 'duration', 'viewer-1', 'default', NULL, 199000, '2026-11-21 10:00:00+00', NULL, NULL),
	('01900000-0000-7000-8000-000000000101', 'error', 'viewer-1', 'default', 150, NULL, '2026-11-21 10:00:00+00', 'network', 'DE');
INSERT INTO scheduler.programmes VALUES
	('default', 2, 1, 2, '01900000-0000-7000-8000-000000000202', '01900000-0000-7000-8000-000000000102', 1, 2, 1795000180000, 1795000380000, 'video', NULL, 0),
	('default', 3, 2, 2, '01900000-0000-7000-8000-000000000201', '01900000-0000-7000-8000-000000000103', 1, 2, 1795000380000, 1795000480000, 'video', NULL, 0),
	('default', 1, NULL, 1, '01900000-0000-7000-8000-000000000201', '01900000-0000-7000-8000-000000000101', 1, 1, 1795000000000, 1795000180000, 'video', '{"kind": "loop"}', -500),
	('default', 4, 3, 4, NULL, NULL, 0, 2, 1795000480000, 1795000490000, 'countdown', NULL, 0);
INSERT INTO scheduler.removed_playlist_items VALUES
	('01900000-0000-7000-8000-000000000211', 'default', '01900000-0000-7000-8000-000000000103', 3000, NULL, '2026-11-20 10:00:00+00', '2026-11-24 10:00:00+00');
INSERT INTO scheduler.replicas VALUES
	('01900000-0000-7000-8000-000000000203', '2026-11-21 10:00:00+00');
INSERT INTO scheduler.schedule_drafts VALUES
	('default', 4, '{"slots": []}', 1, '2026-11-24 10:00:00+00', '01900000-0000-7000-8000-000000000001');
INSERT INTO scheduler.schedule_states VALUES
	('default', 4, 1795000480000, '{"cycle": 1}');
INSERT INTO scheduler.schedule_versions VALUES
	('default', 1, '{"slots": []}', '2026-11-24 10:00:00+00', '01900000-0000-7000-8000-000000000001', NULL);
INSERT INTO scheduler.stale_channels VALUES
	('default', '2026-11-21 10:00:00+00');
INSERT INTO scheduler.takeovers VALUES
	('night', '01900000-0000-7000-8000-000000000212', 'Débat', '[]', true, 1795000000000, NULL, 'join', false, '{}', '01900000-0000-7000-8000-000000000001', 1795000000000);
INSERT INTO scheduler.timeline_changes VALUES
	('default', 1, 'restart', '01900000-0000-7000-8000-000000000001', 1, '2026-11-20 10:00:00+00'),
	('default', 2, 'edit', NULL, 2, '2026-11-21 10:00:00+00'),
	('default', 3, 'takeover', NULL, 4, '2026-11-24 10:00:00+00');
INSERT INTO scheduler.videos VALUES
	('01900000-0000-7000-8000-000000000102', 'Rain', 'Björk', 'Text', NULL, 200000, true, NULL, 'https://youtu.be/x', 'yt000000002', true, 'resolved', '2026-11-20 10:01:00+00', NULL, NULL, NULL, NULL, 1, 0, DEFAULT, NULL, '{}', 0, 0, NULL),
	('01900000-0000-7000-8000-000000000103', 'Removed', 'Nobody', NULL, NULL, 100000, false, NULL, 'https://media.test/3.webm', NULL, true, 'resolved', '2026-11-20 10:02:00+00', '2026-11-21 10:00:00+00', '2026-11-21 09:00:00+00', 'errors', NULL, 1, 0, DEFAULT, NULL, '{}', 0, 0, NULL),
	('01900000-0000-7000-8000-000000000101', 'déjà vu', 'AC/DC', NULL, 'Pop', 180000, false, NULL, 'https://media.test/1.mp4', NULL, true, 'resolved', '2026-11-20 10:00:00+00', NULL, NULL, NULL, NULL, 1, 0, DEFAULT, 'Live', '{Café,CAFÉ,Rock}', 0, 1000, NULL);
SELECT pg_catalog.setval('admin_audit.dead_letters_id_seq', 1, false);
SELECT pg_catalog.setval('admin_audit.guard_grants_id_seq', 1, true);
SELECT pg_catalog.setval('admin_audit.outbox_seq_seq', 1, false);
SELECT pg_catalog.setval('auth.dead_letters_id_seq', 1, true);
SELECT pg_catalog.setval('auth.mail_outbox_id_seq', 1, true);
SELECT pg_catalog.setval('auth.outbox_seq_seq', 1, true);
SELECT pg_catalog.setval('catalogue.dead_letters_id_seq', 1, false);
SELECT pg_catalog.setval('catalogue.outbox_seq_seq', 1, true);
SELECT pg_catalog.setval('catalogue.search_partitions_id_seq', 1, true);
SELECT pg_catalog.setval('chat.dead_letters_id_seq', 1, false);
SELECT pg_catalog.setval('chat.outbox_seq_seq', 1, false);
SELECT pg_catalog.setval('scheduler.dead_letters_id_seq', 1, false);
SELECT pg_catalog.setval('scheduler.outbox_seq_seq', 1, false);
ALTER TABLE ONLY admin_audit.audit_chain
    ADD CONSTRAINT audit_chain_entry_id_key UNIQUE (entry_id);
ALTER TABLE ONLY admin_audit.audit_chain
    ADD CONSTRAINT audit_chain_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY admin_audit.audit_digests
    ADD CONSTRAINT audit_digests_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY admin_audit.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY admin_audit.audit_settings
    ADD CONSTRAINT audit_settings_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY admin_audit.dead_letters
    ADD CONSTRAINT dead_letters_consumer_event_id_key UNIQUE (consumer, event_id);
ALTER TABLE ONLY admin_audit.dead_letters
    ADD CONSTRAINT dead_letters_pkey PRIMARY KEY (id);
ALTER TABLE ONLY admin_audit.guard_grants
    ADD CONSTRAINT guard_grants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY admin_audit.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id);
ALTER TABLE ONLY admin_audit.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY admin_audit.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY admin_audit.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (name);
ALTER TABLE ONLY admin_audit.outbox
    ADD CONSTRAINT outbox_id_key UNIQUE (id);
ALTER TABLE ONLY admin_audit.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY admin_audit.published_events
    ADD CONSTRAINT published_events_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY admin_audit.refused_attempts_of_networks
    ADD CONSTRAINT refused_attempts_of_networks_pkey PRIMARY KEY (network, hour);
ALTER TABLE ONLY admin_audit.refused_attempts
    ADD CONSTRAINT refused_attempts_pkey PRIMARY KEY (user_id, hour);
ALTER TABLE ONLY admin_audit.removed_accounts
    ADD CONSTRAINT removed_accounts_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY admin_audit.security_marks
    ADD CONSTRAINT security_marks_pkey PRIMARY KEY (key);
ALTER TABLE ONLY admin_audit.theme_assets
    ADD CONSTRAINT theme_assets_pkey PRIMARY KEY (version);
ALTER TABLE ONLY admin_audit.theme_settings
    ADD CONSTRAINT theme_settings_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth.account_networks
    ADD CONSTRAINT account_networks_pkey PRIMARY KEY (user_id, network_digest);
ALTER TABLE ONLY auth.auth_codes
    ADD CONSTRAINT auth_codes_pkey PRIMARY KEY (code_digest);
ALTER TABLE ONLY auth.avatars
    ADD CONSTRAINT avatars_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY auth.dead_letters
    ADD CONSTRAINT dead_letters_consumer_event_id_key UNIQUE (consumer, event_id);
ALTER TABLE ONLY auth.dead_letters
    ADD CONSTRAINT dead_letters_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth.earlier_tokens
    ADD CONSTRAINT earlier_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth.earlier_tokens
    ADD CONSTRAINT earlier_tokens_token_digest_key UNIQUE (token_digest);
ALTER TABLE ONLY auth.factor_challenges
    ADD CONSTRAINT factor_challenges_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth.factors
    ADD CONSTRAINT factors_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth.identities
    ADD CONSTRAINT identities_issuer_subject_key UNIQUE (issuer, subject);
ALTER TABLE ONLY auth.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth.identities
    ADD CONSTRAINT identities_user_id_provider_key UNIQUE (user_id, provider);
ALTER TABLE ONLY auth.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id);
ALTER TABLE ONLY auth.kept_restrictions
    ADD CONSTRAINT kept_restrictions_pkey PRIMARY KEY (address_digest, restriction_type);
ALTER TABLE ONLY auth.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY auth.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (name);
ALTER TABLE ONLY auth.mail_outbox
    ADD CONSTRAINT mail_outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth.mail_throttle
    ADD CONSTRAINT mail_throttle_pkey PRIMARY KEY (address_digest, slot);
ALTER TABLE ONLY auth.one_time_tokens
    ADD CONSTRAINT one_time_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth.one_time_tokens
    ADD CONSTRAINT one_time_tokens_token_digest_key UNIQUE (token_digest);
ALTER TABLE ONLY auth.one_time_tokens
    ADD CONSTRAINT one_time_tokens_user_id_slot_key UNIQUE (user_id, slot);
ALTER TABLE ONLY auth.outbox
    ADD CONSTRAINT outbox_id_key UNIQUE (id);
ALTER TABLE ONLY auth.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY auth.passkeys
    ADD CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id);
ALTER TABLE ONLY auth.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth.personal_tokens
    ADD CONSTRAINT personal_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth.personal_tokens
    ADD CONSTRAINT personal_tokens_token_digest_key UNIQUE (token_digest);
ALTER TABLE ONLY auth.profiles
    ADD CONSTRAINT profiles_handle_key_key UNIQUE (handle_key);
ALTER TABLE ONLY auth.profiles
    ADD CONSTRAINT profiles_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY auth.provider_flows
    ADD CONSTRAINT provider_flows_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY auth.published_events
    ADD CONSTRAINT published_events_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY auth.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (factor_id, code_digest);
ALTER TABLE ONLY auth.revoked_keys
    ADD CONSTRAINT revoked_keys_pkey PRIMARY KEY (kid);
ALTER TABLE ONLY auth.revoked_sessions
    ADD CONSTRAINT revoked_sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth.secret_check
    ADD CONSTRAINT secret_check_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth.security_keys
    ADD CONSTRAINT security_keys_credential_id_key UNIQUE (credential_id);
ALTER TABLE ONLY auth.security_keys
    ADD CONSTRAINT security_keys_pkey PRIMARY KEY (factor_id);
ALTER TABLE ONLY auth.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth.sign_ins
    ADD CONSTRAINT sign_ins_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);
ALTER TABLE ONLY auth.signing_keys
    ADD CONSTRAINT signing_keys_signs_from_key UNIQUE (signs_from);
ALTER TABLE ONLY auth.spent_passkey_challenges
    ADD CONSTRAINT spent_passkey_challenges_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth.user_restrictions
    ADD CONSTRAINT user_restrictions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY auth.user_restrictions
    ADD CONSTRAINT user_restrictions_user_id_restriction_type_key UNIQUE (user_id, restriction_type);
ALTER TABLE ONLY auth.user_roles
    ADD CONSTRAINT user_roles_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY auth.users
    ADD CONSTRAINT users_email_key UNIQUE (email);
ALTER TABLE ONLY auth.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalogue.artists
    ADD CONSTRAINT artists_pkey PRIMARY KEY (name);
ALTER TABLE ONLY catalogue.dead_letters
    ADD CONSTRAINT dead_letters_consumer_event_id_key UNIQUE (consumer, event_id);
ALTER TABLE ONLY catalogue.dead_letters
    ADD CONSTRAINT dead_letters_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalogue.deleted_curation
    ADD CONSTRAINT deleted_curation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalogue.deleted_playlist_items
    ADD CONSTRAINT deleted_playlist_items_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalogue.deleted_videos
    ADD CONSTRAINT deleted_videos_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalogue.followed_items
    ADD CONSTRAINT followed_items_pkey PRIMARY KEY (list_id, youtube_id);
ALTER TABLE ONLY catalogue.followed_lists
    ADD CONSTRAINT followed_lists_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalogue.followed_lists
    ADD CONSTRAINT followed_lists_source_kind_source_name_key UNIQUE (source_kind, source_name);
ALTER TABLE ONLY catalogue.home_screen_curation
    ADD CONSTRAINT home_screen_curation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalogue.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id);
ALTER TABLE ONLY catalogue.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalogue.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY catalogue.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (name);
ALTER TABLE ONLY catalogue.metadata_reminders
    ADD CONSTRAINT metadata_reminders_pkey PRIMARY KEY (video_id);
ALTER TABLE ONLY catalogue.outbox
    ADD CONSTRAINT outbox_id_key UNIQUE (id);
ALTER TABLE ONLY catalogue.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY catalogue.published_events
    ADD CONSTRAINT published_events_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY catalogue.restricted_users
    ADD CONSTRAINT restricted_users_pkey PRIMARY KEY (restriction_id);
ALTER TABLE ONLY catalogue.search_partitions
    ADD CONSTRAINT search_partitions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalogue.search_partitions
    ADD CONSTRAINT search_partitions_starts_at_key UNIQUE (starts_at);
ALTER TABLE ONLY catalogue.submissions
    ADD CONSTRAINT submissions_pkey PRIMARY KEY (video_id);
ALTER TABLE ONLY catalogue.submitters
    ADD CONSTRAINT submitters_pkey PRIMARY KEY (user_id, video_id);
ALTER TABLE ONLY catalogue.video_documents
    ADD CONSTRAINT video_documents_pkey PRIMARY KEY (video_id);
ALTER TABLE ONLY catalogue.video_edits
    ADD CONSTRAINT video_edits_pkey PRIMARY KEY (edit_id, video_id);
ALTER TABLE ONLY catalogue.video_filters
    ADD CONSTRAINT video_filters_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalogue.video_reports
    ADD CONSTRAINT video_reports_pkey PRIMARY KEY (video_id, channel_id);
ALTER TABLE ONLY catalogue.video_totals
    ADD CONSTRAINT video_totals_pkey PRIMARY KEY (category, is_public);
ALTER TABLE ONLY catalogue.videos
    ADD CONSTRAINT videos_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalogue.view_marks
    ADD CONSTRAINT view_marks_pkey PRIMARY KEY (viewer_id, video_id);
ALTER TABLE ONLY catalogue.youtube_playlist_items
    ADD CONSTRAINT youtube_playlist_items_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalogue.youtube_playlists
    ADD CONSTRAINT youtube_playlists_pkey PRIMARY KEY (id);
ALTER TABLE ONLY chat.channels
    ADD CONSTRAINT channels_pkey PRIMARY KEY (id);
ALTER TABLE ONLY chat.chatters
    ADD CONSTRAINT chatters_pkey PRIMARY KEY (channel_id, user_id);
ALTER TABLE ONLY chat.dead_letters
    ADD CONSTRAINT dead_letters_consumer_event_id_key UNIQUE (consumer, event_id);
ALTER TABLE ONLY chat.dead_letters
    ADD CONSTRAINT dead_letters_pkey PRIMARY KEY (id);
ALTER TABLE ONLY chat.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id);
ALTER TABLE ONLY chat.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY chat.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY chat.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (name);
ALTER TABLE ONLY chat.live_chat_messages
    ADD CONSTRAINT live_chat_messages_channel_id_seq_key UNIQUE (channel_id, seq);
ALTER TABLE ONLY chat.live_chat_messages
    ADD CONSTRAINT live_chat_messages_channel_id_user_id_client_id_key UNIQUE (channel_id, user_id, client_id);
ALTER TABLE ONLY chat.live_chat_messages
    ADD CONSTRAINT live_chat_messages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY chat.outbox
    ADD CONSTRAINT outbox_id_key UNIQUE (id);
ALTER TABLE ONLY chat.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY chat.profiles
    ADD CONSTRAINT profiles_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY chat.published_events
    ADD CONSTRAINT published_events_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY chat.restrictions
    ADD CONSTRAINT restrictions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY scheduler.air_log
    ADD CONSTRAINT air_log_pkey PRIMARY KEY (channel_id, seq);
ALTER TABLE ONLY scheduler.backfills
    ADD CONSTRAINT backfills_pkey PRIMARY KEY (name);
ALTER TABLE ONLY scheduler.channel_playlists
    ADD CONSTRAINT channel_playlists_pkey PRIMARY KEY (id);
ALTER TABLE ONLY scheduler.channels
    ADD CONSTRAINT channels_pkey PRIMARY KEY (id);
ALTER TABLE ONLY scheduler.dead_letters
    ADD CONSTRAINT dead_letters_consumer_event_id_key UNIQUE (consumer, event_id);
ALTER TABLE ONLY scheduler.dead_letters
    ADD CONSTRAINT dead_letters_pkey PRIMARY KEY (id);
ALTER TABLE ONLY scheduler.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id);
ALTER TABLE ONLY scheduler.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY scheduler.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY scheduler.last_airings
    ADD CONSTRAINT last_airings_pkey PRIMARY KEY (channel_id, video_id);
ALTER TABLE ONLY scheduler.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (name);
ALTER TABLE ONLY scheduler.loops
    ADD CONSTRAINT loops_pkey PRIMARY KEY (channel_id);
ALTER TABLE ONLY scheduler.outbox
    ADD CONSTRAINT outbox_id_key UNIQUE (id);
ALTER TABLE ONLY scheduler.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY scheduler.playback_reports
    ADD CONSTRAINT playback_reports_pkey PRIMARY KEY (video_id, kind, viewer);
ALTER TABLE ONLY scheduler.programmes
    ADD CONSTRAINT programmes_channel_id_seq_ends_at_ms_key UNIQUE (channel_id, seq, ends_at_ms);
ALTER TABLE ONLY scheduler.programmes
    ADD CONSTRAINT programmes_no_overlap EXCLUDE USING gist (channel_id WITH =, int8range(starts_at_ms, ends_at_ms) WITH &&);
ALTER TABLE ONLY scheduler.programmes
    ADD CONSTRAINT programmes_pkey PRIMARY KEY (channel_id, seq);
ALTER TABLE ONLY scheduler.published_events
    ADD CONSTRAINT published_events_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY scheduler.removed_playlist_items
    ADD CONSTRAINT removed_playlist_items_pkey PRIMARY KEY (id);
ALTER TABLE ONLY scheduler.replicas
    ADD CONSTRAINT replicas_pkey PRIMARY KEY (id);
ALTER TABLE ONLY scheduler.schedule_drafts
    ADD CONSTRAINT schedule_drafts_pkey PRIMARY KEY (channel_id);
ALTER TABLE ONLY scheduler.schedule_states
    ADD CONSTRAINT schedule_states_pkey PRIMARY KEY (channel_id);
ALTER TABLE ONLY scheduler.schedule_versions
    ADD CONSTRAINT schedule_versions_pkey PRIMARY KEY (channel_id, version);
ALTER TABLE ONLY scheduler.stale_channels
    ADD CONSTRAINT stale_channels_pkey PRIMARY KEY (channel_id);
ALTER TABLE ONLY scheduler.takeovers
    ADD CONSTRAINT takeovers_id_key UNIQUE (id);
ALTER TABLE ONLY scheduler.takeovers
    ADD CONSTRAINT takeovers_pkey PRIMARY KEY (channel_id);
ALTER TABLE ONLY scheduler.timeline_changes
    ADD CONSTRAINT timeline_changes_pkey PRIMARY KEY (channel_id, version);
ALTER TABLE ONLY scheduler.videos
    ADD CONSTRAINT videos_pkey PRIMARY KEY (id);
CREATE INDEX audit_digests_personal ON admin_audit.audit_digests USING btree (seq) WHERE (salt IS NOT NULL);
CREATE INDEX audit_log_by_action ON admin_audit.audit_log USING btree (action, created_at DESC, id DESC);
CREATE INDEX audit_log_by_admin ON admin_audit.audit_log USING btree (admin_user_id, created_at DESC, id DESC);
CREATE INDEX audit_log_by_target_user ON admin_audit.audit_log USING btree (target_user_id, created_at DESC, id DESC) WHERE (target_user_id IS NOT NULL);
CREATE INDEX audit_log_newest ON admin_audit.audit_log USING btree (created_at DESC, id DESC) INCLUDE (admin_user_id);
CREATE INDEX audit_log_security ON admin_audit.audit_log USING btree (created_at DESC, id DESC) WHERE starts_with(action, 'security_'::text);
CREATE INDEX guard_grants_by_admin ON admin_audit.guard_grants USING btree (admin_user_id, granted_at DESC);
CREATE INDEX guard_grants_by_time ON admin_audit.guard_grants USING btree (granted_at);
CREATE INDEX inbox_received_at ON admin_audit.inbox USING btree (received_at);
CREATE INDEX published_events_position ON admin_audit.published_events USING btree (stream, stream_seq);
CREATE INDEX published_events_published_at ON admin_audit.published_events USING btree (published_at);
CREATE INDEX refused_attempts_by_hour ON admin_audit.refused_attempts USING btree (hour);
CREATE INDEX refused_attempts_of_networks_by_hour ON admin_audit.refused_attempts_of_networks USING btree (hour);
CREATE INDEX removed_accounts_deleted_at ON admin_audit.removed_accounts USING btree (deleted_at);
CREATE INDEX security_marks_until ON admin_audit.security_marks USING btree (until);
CREATE INDEX theme_assets_by_age ON admin_audit.theme_assets USING btree (created_at);
CREATE UNIQUE INDEX theme_settings_active ON admin_audit.theme_settings USING btree (is_active) WHERE is_active;
CREATE INDEX theme_settings_by_hero ON admin_audit.theme_settings USING btree (hero_background_url);
CREATE INDEX theme_settings_by_logo ON admin_audit.theme_settings USING btree (logo_url);
CREATE INDEX theme_settings_newest ON admin_audit.theme_settings USING btree (created_at DESC, id DESC);
CREATE INDEX account_networks_last_used_at ON auth.account_networks USING btree (last_used_at);
CREATE INDEX auth_codes_created_at ON auth.auth_codes USING btree (created_at);
CREATE INDEX auth_codes_user ON auth.auth_codes USING btree (user_id);
CREATE INDEX earlier_tokens_email ON auth.earlier_tokens USING btree (email);
CREATE INDEX earlier_tokens_expires_at ON auth.earlier_tokens USING btree (expires_at);
CREATE INDEX earlier_tokens_user ON auth.earlier_tokens USING btree (user_id, slot, created_at);
CREATE INDEX factor_challenges_created ON auth.factor_challenges USING btree (created_at);
CREATE INDEX factor_challenges_factor ON auth.factor_challenges USING btree (factor_id, created_at);
CREATE UNIQUE INDEX factors_name ON auth.factors USING btree (user_id, friendly_name);
CREATE UNIQUE INDEX factors_one_recovery ON auth.factors USING btree (user_id) WHERE (factor_type = 'recovery_code'::text);
CREATE INDEX factors_unverified ON auth.factors USING btree (created_at) WHERE (status = 'unverified'::text);
CREATE INDEX inbox_received_at ON auth.inbox USING btree (received_at);
CREATE INDEX kept_restrictions_kept_until ON auth.kept_restrictions USING btree (kept_until);
CREATE INDEX mail_outbox_expires_at ON auth.mail_outbox USING btree (expires_at);
CREATE INDEX mail_outbox_next_attempt_at ON auth.mail_outbox USING btree (next_attempt_at);
CREATE INDEX mail_outbox_user ON auth.mail_outbox USING btree (user_id, slot);
CREATE INDEX mail_throttle_asked_at ON auth.mail_throttle USING btree (asked_at);
CREATE INDEX one_time_tokens_email ON auth.one_time_tokens USING btree (email);
CREATE INDEX one_time_tokens_expires_at ON auth.one_time_tokens USING btree (expires_at);
CREATE INDEX passkeys_user ON auth.passkeys USING btree (user_id);
CREATE INDEX personal_tokens_expires_at ON auth.personal_tokens USING btree (expires_at);
CREATE INDEX personal_tokens_user ON auth.personal_tokens USING btree (user_id);
CREATE UNIQUE INDEX profiles_handle_skeleton ON auth.profiles USING btree (handle_skeleton);
CREATE INDEX profiles_search ON auth.profiles USING gin (search_key public.gin_trgm_ops);
CREATE INDEX provider_flows_created_at ON auth.provider_flows USING btree (created_at);
CREATE INDEX published_events_position ON auth.published_events USING btree (stream, stream_seq);
CREATE INDEX published_events_published_at ON auth.published_events USING btree (published_at);
CREATE INDEX revoked_keys_until ON auth.revoked_keys USING btree (until);
CREATE INDEX revoked_sessions_revoked_at ON auth.revoked_sessions USING btree (revoked_at);
CREATE INDEX revoked_sessions_until ON auth.revoked_sessions USING btree (until);
CREATE INDEX sessions_refreshed_at ON auth.sessions USING btree (refreshed_at);
CREATE INDEX sessions_user ON auth.sessions USING btree (user_id, refreshed_at);
CREATE INDEX sign_ins_user ON auth.sign_ins USING btree (user_id, id);
CREATE INDEX spent_passkey_challenges_expires_at ON auth.spent_passkey_challenges USING btree (expires_at);
CREATE INDEX user_restrictions_expires_at ON auth.user_restrictions USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX user_roles_role ON auth.user_roles USING btree (role);
CREATE INDEX users_anonymous ON auth.users USING btree (anonymous_seen_at) WHERE (email IS NULL);
CREATE INDEX users_awaiting_confirmation ON auth.users USING btree (GREATEST(created_at, confirmation_sent_at)) WHERE ((email_confirmed_at IS NULL) AND (email IS NOT NULL));
CREATE INDEX users_email_prefix ON auth.users USING btree (email text_pattern_ops);
CREATE INDEX artists_by_count ON catalogue.artists USING btree (video_count DESC, name);
CREATE INDEX artists_index_keys ON catalogue.artists USING gin (catalogue.index_keys(document, 0));
CREATE INDEX deleted_curation_video ON catalogue.deleted_curation USING btree (video_id);
CREATE INDEX deleted_playlist_items_playlist ON catalogue.deleted_playlist_items USING btree (playlist_id);
CREATE INDEX deleted_playlist_items_video ON catalogue.deleted_playlist_items USING btree (video_id);
CREATE INDEX deleted_videos_media_url ON catalogue.deleted_videos USING btree (md5(video_url)) WHERE (youtube_id IS NULL);
CREATE INDEX deleted_videos_newest ON catalogue.deleted_videos USING btree (deleted_at DESC, id DESC);
CREATE INDEX deleted_videos_of_user ON catalogue.deleted_videos USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX deleted_videos_youtube_id ON catalogue.deleted_videos USING btree (youtube_id);
CREATE INDEX followed_lists_due ON catalogue.followed_lists USING btree (next_check_at) WHERE (NOT is_paused);
CREATE INDEX home_screen_curation_order ON catalogue.home_screen_curation USING btree (section_type, "position", id);
CREATE INDEX home_screen_curation_video ON catalogue.home_screen_curation USING btree (video_id);
CREATE INDEX inbox_received_at ON catalogue.inbox USING btree (received_at);
CREATE INDEX metadata_reminders_due ON catalogue.metadata_reminders USING btree (due_at);
CREATE INDEX published_events_position ON catalogue.published_events USING btree (stream, stream_seq);
CREATE INDEX published_events_published_at ON catalogue.published_events USING btree (published_at);
CREATE INDEX restricted_users_of_user ON catalogue.restricted_users USING btree (user_id);
CREATE INDEX submissions_decided ON catalogue.submissions USING btree (state, decided_at DESC, video_id DESC);
CREATE INDEX submissions_decided_by ON catalogue.submissions USING btree (decided_by) WHERE (decided_by IS NOT NULL);
CREATE INDEX submissions_waiting ON catalogue.submissions USING btree (state, submitted_at, video_id);
CREATE INDEX submitters_of_video ON catalogue.submitters USING btree (video_id, submitted_at, user_id);
CREATE INDEX submitters_recent ON catalogue.submitters USING btree (user_id, submitted_at);
CREATE INDEX video_documents_index_keys ON catalogue.video_documents USING gin (catalogue.index_keys(document, partition_id));
CREATE INDEX video_documents_newest ON catalogue.video_documents USING btree (created_at DESC, video_id DESC);
CREATE INDEX video_edits_by_age ON catalogue.video_edits USING btree (edited_at);
CREATE INDEX video_edits_of_video ON catalogue.video_edits USING btree (video_id);
CREATE UNIQUE INDEX video_filters_name ON catalogue.video_filters USING btree (lower(name));
CREATE INDEX video_reports_channel ON catalogue.video_reports USING btree (channel_id);
CREATE INDEX videos_accepted_artist ON catalogue.videos USING btree ("left"(lower(artist_name), 80), id) WHERE (review_state IS NULL);
CREATE INDEX videos_accepted_newest ON catalogue.videos USING btree (created_at DESC, id DESC) WHERE (review_state IS NULL);
CREATE INDEX videos_accepted_title ON catalogue.videos USING btree ("left"(lower(title), 80), id) WHERE (review_state IS NULL);
CREATE INDEX videos_category_artist ON catalogue.videos USING btree (category, "left"(lower(artist_name), 80), id);
CREATE INDEX videos_category_newest ON catalogue.videos USING btree (category, created_at DESC, id DESC);
CREATE INDEX videos_category_title ON catalogue.videos USING btree (category, "left"(lower(title), 80), id);
CREATE INDEX videos_hidden_newest ON catalogue.videos USING btree (created_at DESC, id DESC) WHERE ((NOT catalogue.is_listed(is_public, metadata_status)) AND (review_state IS NULL));
CREATE INDEX videos_loading ON catalogue.videos USING btree (id) WHERE ((title = 'Loading...'::text) AND (youtube_id IS NOT NULL));
CREATE UNIQUE INDEX videos_media_url ON catalogue.videos USING btree (md5(video_url)) WHERE (youtube_id IS NULL);
CREATE INDEX videos_of_artist ON catalogue.videos USING btree (artist_name, created_at DESC, id DESC) WHERE is_public;
CREATE INDEX videos_of_user ON catalogue.videos USING btree (user_id, created_at) WHERE (user_id IS NOT NULL);
CREATE INDEX videos_public_newest ON catalogue.videos USING btree (created_at DESC, id DESC) WHERE is_public;
CREATE INDEX videos_shuffle ON catalogue.videos USING btree (shuffle_key) WHERE (is_public AND (metadata_status <> 'unavailable'::text));
CREATE INDEX videos_tagged ON catalogue.videos USING btree (created_at DESC) INCLUDE (tags) WHERE ((tags <> '{}'::text[]) AND (review_state IS NULL));
CREATE INDEX videos_tags ON catalogue.videos USING gin (catalogue.lower_tags(tags));
CREATE UNIQUE INDEX videos_youtube_id ON catalogue.videos USING btree (youtube_id);
CREATE INDEX view_marks_counted_at ON catalogue.view_marks USING btree (counted_at);
CREATE INDEX view_marks_video ON catalogue.view_marks USING btree (video_id);
CREATE INDEX youtube_playlist_items_of_video ON catalogue.youtube_playlist_items USING btree (playlist_id, video_id);
CREATE INDEX youtube_playlist_items_order ON catalogue.youtube_playlist_items USING btree (playlist_id, "position", id);
CREATE INDEX youtube_playlist_items_video ON catalogue.youtube_playlist_items USING btree (video_id);
CREATE UNIQUE INDEX youtube_playlists_default ON catalogue.youtube_playlists USING btree (user_id) WHERE (is_default AND is_active);
CREATE INDEX youtube_playlists_of_user ON catalogue.youtube_playlists USING btree (user_id, created_at DESC, id DESC) WHERE is_active;
CREATE INDEX youtube_playlists_user ON catalogue.youtube_playlists USING btree (user_id);
CREATE INDEX inbox_received_at ON chat.inbox USING btree (received_at);
CREATE INDEX live_chat_messages_removed ON chat.live_chat_messages USING btree (channel_id, removed_at DESC) WHERE is_deleted;
CREATE INDEX live_chat_messages_user ON chat.live_chat_messages USING btree (user_id, id);
CREATE INDEX published_events_position ON chat.published_events USING btree (stream, stream_seq);
CREATE INDEX published_events_published_at ON chat.published_events USING btree (published_at);
CREATE INDEX restrictions_in_force ON chat.restrictions USING btree (user_id) WHERE (NOT is_lifted);
CREATE INDEX restrictions_lifted ON chat.restrictions USING btree (expires_at) WHERE is_lifted;
CREATE INDEX air_log_hour ON scheduler.air_log USING btree (((started_at_ms / 3600000)));
CREATE INDEX air_log_time ON scheduler.air_log USING btree (channel_id, started_at_ms DESC);
CREATE INDEX channel_playlists_order ON scheduler.channel_playlists USING btree (channel_id, "position", id);
CREATE INDEX channel_playlists_video ON scheduler.channel_playlists USING btree (video_id);
CREATE INDEX channels_leader ON scheduler.channels USING btree (leader) WHERE (status <> 'idle'::text);
CREATE INDEX inbox_received_at ON scheduler.inbox USING btree (received_at);
CREATE INDEX last_airings_video ON scheduler.last_airings USING btree (video_id);
CREATE INDEX playback_reports_age ON scheduler.playback_reports USING btree (reported_at);
CREATE INDEX playback_reports_channel ON scheduler.playback_reports USING btree (channel_id);
CREATE INDEX playback_reports_errors ON scheduler.playback_reports USING btree (video_id, country, error_code, reported_at) WHERE (kind = 'error'::text);
CREATE INDEX playback_reports_viewer ON scheduler.playback_reports USING btree (viewer, reported_at) WHERE (kind = 'error'::text);
CREATE UNIQUE INDEX programmes_one_first ON scheduler.programmes USING btree (channel_id) WHERE (prev_seq IS NULL);
CREATE INDEX programmes_successor ON scheduler.programmes USING btree (channel_id, prev_seq);
CREATE INDEX programmes_video ON scheduler.programmes USING btree (video_id);
CREATE INDEX published_events_position ON scheduler.published_events USING btree (stream, stream_seq);
CREATE INDEX published_events_published_at ON scheduler.published_events USING btree (published_at);
CREATE INDEX removed_playlist_items_by_age ON scheduler.removed_playlist_items USING btree (removed_at);
CREATE INDEX removed_playlist_items_channel ON scheduler.removed_playlist_items USING btree (channel_id);
CREATE INDEX removed_playlist_items_video ON scheduler.removed_playlist_items USING btree (video_id);
CREATE INDEX timeline_changes_by_time ON scheduler.timeline_changes USING btree (changed_at);
CREATE INDEX videos_in_order ON scheduler.videos USING btree (created_at, id) WHERE (playable AND is_public);
CREATE INDEX videos_quarantined ON scheduler.videos USING btree (quarantined_at DESC, id) WHERE (quarantined_at IS NOT NULL);
CREATE INDEX videos_removed ON scheduler.videos USING btree (removed_at) WHERE (removed_at IS NOT NULL);
CREATE TRIGGER audit_log_chain AFTER INSERT ON admin_audit.audit_log FOR EACH ROW EXECUTE FUNCTION admin_audit.audit_log_chain();
CREATE TRIGGER audit_log_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON admin_audit.audit_log FOR EACH STATEMENT EXECUTE FUNCTION admin_audit.audit_log_is_append_only();
CREATE TRIGGER outbox_wake AFTER INSERT ON admin_audit.outbox FOR EACH STATEMENT EXECUTE FUNCTION admin_audit.outbox_wake();
CREATE TRIGGER removed_accounts_note_time BEFORE INSERT OR UPDATE ON admin_audit.removed_accounts FOR EACH ROW EXECUTE FUNCTION admin_audit.removed_accounts_note_time();
CREATE TRIGGER outbox_wake AFTER INSERT ON auth.outbox FOR EACH STATEMENT EXECUTE FUNCTION auth.outbox_wake();
CREATE TRIGGER artists_merge AFTER INSERT ON catalogue.artists FOR EACH STATEMENT EXECUTE FUNCTION catalogue.merge_pending_keys('artists_index_keys');
CREATE TRIGGER outbox_wake AFTER INSERT ON catalogue.outbox FOR EACH STATEMENT EXECUTE FUNCTION catalogue.outbox_wake();
CREATE TRIGGER video_artists_added AFTER INSERT ON catalogue.videos REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION catalogue.count_artists();
CREATE TRIGGER video_artists_changed AFTER UPDATE ON catalogue.videos FOR EACH ROW WHEN (((old.artist_name <> new.artist_name) OR (catalogue.counts_for_artist(old.is_public, old.metadata_status, old.artist_name, old.artist_given) <> catalogue.counts_for_artist(new.is_public, new.metadata_status, new.artist_name, new.artist_given)))) EXECUTE FUNCTION catalogue.count_artists();
CREATE TRIGGER video_artists_removed AFTER DELETE ON catalogue.videos REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION catalogue.count_artists();
CREATE TRIGGER video_document_updated AFTER UPDATE ON catalogue.videos FOR EACH ROW WHEN (((((((old.title IS DISTINCT FROM new.title) OR (old.artist_name IS DISTINCT FROM new.artist_name)) OR (old.description IS DISTINCT FROM new.description)) OR (old.genre IS DISTINCT FROM new.genre)) OR (old.created_at IS DISTINCT FROM new.created_at)) OR (catalogue.is_listed(old.is_public, old.metadata_status) IS DISTINCT FROM catalogue.is_listed(new.is_public, new.metadata_status)))) EXECUTE FUNCTION catalogue.update_video_document();
CREATE TRIGGER video_documents_added AFTER INSERT ON catalogue.videos REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION catalogue.add_video_documents();
CREATE TRIGGER video_documents_merge AFTER INSERT ON catalogue.video_documents FOR EACH STATEMENT EXECUTE FUNCTION catalogue.merge_pending_keys('video_documents_index_keys');
CREATE TRIGGER video_totals_added AFTER INSERT ON catalogue.videos REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION catalogue.count_video_totals();
CREATE TRIGGER video_totals_changed AFTER UPDATE ON catalogue.videos FOR EACH ROW WHEN (((old.category IS DISTINCT FROM new.category) OR (old.is_public <> new.is_public) OR ((old.metadata_status = 'unavailable'::text) <> (new.metadata_status = 'unavailable'::text)) OR ((old.review_state IS NULL) <> (new.review_state IS NULL)))) EXECUTE FUNCTION catalogue.count_video_totals();
CREATE TRIGGER video_totals_removed AFTER DELETE ON catalogue.videos REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION catalogue.count_video_totals();
CREATE TRIGGER videos_metadata_reminder AFTER INSERT OR UPDATE OF metadata_status, duration_assumed ON catalogue.videos FOR EACH ROW EXECUTE FUNCTION catalogue.keep_metadata_reminder();
CREATE TRIGGER youtube_playlist_items_counted AFTER INSERT OR DELETE ON catalogue.youtube_playlist_items FOR EACH ROW EXECUTE FUNCTION catalogue.count_playlist_items();
CREATE TRIGGER outbox_wake AFTER INSERT ON chat.outbox FOR EACH STATEMENT EXECUTE FUNCTION chat.outbox_wake();
CREATE TRIGGER outbox_wake AFTER INSERT ON scheduler.outbox FOR EACH STATEMENT EXECUTE FUNCTION scheduler.outbox_wake();
ALTER TABLE ONLY auth.account_networks
    ADD CONSTRAINT account_networks_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY auth.auth_codes
    ADD CONSTRAINT auth_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY auth.avatars
    ADD CONSTRAINT avatars_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.profiles(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY auth.earlier_tokens
    ADD CONSTRAINT earlier_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY auth.factor_challenges
    ADD CONSTRAINT factor_challenges_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES auth.factors(id) ON DELETE CASCADE;
ALTER TABLE ONLY auth.factors
    ADD CONSTRAINT factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY auth.identities
    ADD CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY auth.mail_outbox
    ADD CONSTRAINT mail_outbox_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY auth.one_time_tokens
    ADD CONSTRAINT one_time_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY auth.passkeys
    ADD CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY auth.personal_tokens
    ADD CONSTRAINT personal_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY auth.profiles
    ADD CONSTRAINT profiles_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY auth.recovery_codes
    ADD CONSTRAINT recovery_codes_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES auth.factors(id) ON DELETE CASCADE;
ALTER TABLE ONLY auth.security_keys
    ADD CONSTRAINT security_keys_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES auth.factors(id) ON DELETE CASCADE;
ALTER TABLE ONLY auth.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY auth.sign_ins
    ADD CONSTRAINT sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY auth.user_restrictions
    ADD CONSTRAINT user_restrictions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY auth.user_roles
    ADD CONSTRAINT user_roles_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
ALTER TABLE ONLY catalogue.deleted_curation
    ADD CONSTRAINT deleted_curation_video_id_fkey FOREIGN KEY (video_id) REFERENCES catalogue.deleted_videos(id) ON DELETE CASCADE;
ALTER TABLE ONLY catalogue.deleted_playlist_items
    ADD CONSTRAINT deleted_playlist_items_playlist_id_fkey FOREIGN KEY (playlist_id) REFERENCES catalogue.youtube_playlists(id) ON DELETE CASCADE;
ALTER TABLE ONLY catalogue.deleted_playlist_items
    ADD CONSTRAINT deleted_playlist_items_video_id_fkey FOREIGN KEY (video_id) REFERENCES catalogue.deleted_videos(id) ON DELETE CASCADE;
ALTER TABLE ONLY catalogue.followed_items
    ADD CONSTRAINT followed_items_list_id_fkey FOREIGN KEY (list_id) REFERENCES catalogue.followed_lists(id) ON DELETE CASCADE;
ALTER TABLE ONLY catalogue.home_screen_curation
    ADD CONSTRAINT home_screen_curation_video_id_fkey FOREIGN KEY (video_id) REFERENCES catalogue.videos(id) ON DELETE CASCADE;
ALTER TABLE ONLY catalogue.metadata_reminders
    ADD CONSTRAINT metadata_reminders_video_id_fkey FOREIGN KEY (video_id) REFERENCES catalogue.videos(id) ON DELETE CASCADE;
ALTER TABLE ONLY catalogue.submissions
    ADD CONSTRAINT submissions_video_id_fkey FOREIGN KEY (video_id) REFERENCES catalogue.videos(id) ON DELETE CASCADE;
ALTER TABLE ONLY catalogue.submitters
    ADD CONSTRAINT submitters_video_id_fkey FOREIGN KEY (video_id) REFERENCES catalogue.submissions(video_id) ON DELETE CASCADE;
ALTER TABLE ONLY catalogue.video_documents
    ADD CONSTRAINT video_documents_video_id_fkey FOREIGN KEY (video_id) REFERENCES catalogue.videos(id) ON DELETE CASCADE;
ALTER TABLE ONLY catalogue.video_edits
    ADD CONSTRAINT video_edits_video_id_fkey FOREIGN KEY (video_id) REFERENCES catalogue.videos(id) ON DELETE CASCADE;
ALTER TABLE ONLY catalogue.video_reports
    ADD CONSTRAINT video_reports_video_id_fkey FOREIGN KEY (video_id) REFERENCES catalogue.videos(id) ON DELETE CASCADE;
ALTER TABLE ONLY catalogue.view_marks
    ADD CONSTRAINT view_marks_video_id_fkey FOREIGN KEY (video_id) REFERENCES catalogue.videos(id) ON DELETE CASCADE;
ALTER TABLE ONLY catalogue.youtube_playlist_items
    ADD CONSTRAINT youtube_playlist_items_playlist_id_fkey FOREIGN KEY (playlist_id) REFERENCES catalogue.youtube_playlists(id) ON DELETE CASCADE;
ALTER TABLE ONLY catalogue.youtube_playlist_items
    ADD CONSTRAINT youtube_playlist_items_video_id_fkey FOREIGN KEY (video_id) REFERENCES catalogue.videos(id) ON DELETE CASCADE;
ALTER TABLE ONLY chat.chatters
    ADD CONSTRAINT chatters_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES chat.channels(id) ON DELETE CASCADE;
ALTER TABLE ONLY chat.live_chat_messages
    ADD CONSTRAINT live_chat_messages_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES chat.channels(id);
ALTER TABLE ONLY scheduler.air_log
    ADD CONSTRAINT air_log_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES scheduler.channels(id) ON DELETE CASCADE;
ALTER TABLE ONLY scheduler.channel_playlists
    ADD CONSTRAINT channel_playlists_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES scheduler.channels(id) ON DELETE CASCADE;
ALTER TABLE ONLY scheduler.last_airings
    ADD CONSTRAINT last_airings_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES scheduler.channels(id) ON DELETE CASCADE;
ALTER TABLE ONLY scheduler.last_airings
    ADD CONSTRAINT last_airings_video_id_fkey FOREIGN KEY (video_id) REFERENCES scheduler.videos(id) ON DELETE CASCADE;
ALTER TABLE ONLY scheduler.loops
    ADD CONSTRAINT loops_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES scheduler.channels(id) ON DELETE CASCADE;
ALTER TABLE ONLY scheduler.playback_reports
    ADD CONSTRAINT playback_reports_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES scheduler.channels(id) ON DELETE CASCADE;
ALTER TABLE ONLY scheduler.playback_reports
    ADD CONSTRAINT playback_reports_video_id_fkey FOREIGN KEY (video_id) REFERENCES scheduler.videos(id) ON DELETE CASCADE;
ALTER TABLE ONLY scheduler.programmes
    ADD CONSTRAINT programmes_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES scheduler.channels(id) ON DELETE CASCADE;
ALTER TABLE ONLY scheduler.programmes
    ADD CONSTRAINT programmes_no_gap FOREIGN KEY (channel_id, prev_seq, starts_at_ms) REFERENCES scheduler.programmes(channel_id, seq, ends_at_ms) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY scheduler.programmes
    ADD CONSTRAINT programmes_video_id_fkey FOREIGN KEY (video_id) REFERENCES scheduler.videos(id);
ALTER TABLE ONLY scheduler.removed_playlist_items
    ADD CONSTRAINT removed_playlist_items_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES scheduler.channels(id) ON DELETE CASCADE;
ALTER TABLE ONLY scheduler.schedule_drafts
    ADD CONSTRAINT schedule_drafts_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES scheduler.channels(id) ON DELETE CASCADE;
ALTER TABLE ONLY scheduler.schedule_states
    ADD CONSTRAINT schedule_states_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES scheduler.channels(id) ON DELETE CASCADE;
ALTER TABLE ONLY scheduler.schedule_versions
    ADD CONSTRAINT schedule_versions_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES scheduler.channels(id) ON DELETE CASCADE;
ALTER TABLE ONLY scheduler.stale_channels
    ADD CONSTRAINT stale_channels_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES scheduler.channels(id) ON DELETE CASCADE;
ALTER TABLE ONLY scheduler.takeovers
    ADD CONSTRAINT takeovers_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES scheduler.channels(id) ON DELETE CASCADE;
ALTER TABLE ONLY scheduler.timeline_changes
    ADD CONSTRAINT timeline_changes_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES scheduler.channels(id) ON DELETE CASCADE;
GRANT SELECT,INSERT ON TABLE admin_audit.audit_log TO looptide_admin_audit;
REVOKE ALL ON FUNCTION admin_audit.audit_add_digest(seq bigint, entry admin_audit.audit_log) FROM PUBLIC;
REVOKE ALL ON FUNCTION admin_audit.audit_chain_append(entry admin_audit.audit_log) FROM PUBLIC;
REVOKE ALL ON FUNCTION admin_audit.audit_content(seq bigint, entry admin_audit.audit_log, digest bytea) FROM PUBLIC;
REVOKE ALL ON FUNCTION admin_audit.audit_log_chain() FROM PUBLIC;
REVOKE ALL ON FUNCTION admin_audit.audit_personal_text(entry admin_audit.audit_log) FROM PUBLIC;
REVOKE ALL ON FUNCTION admin_audit.audit_pseudonym(person uuid) FROM PUBLIC;
REVOKE ALL ON FUNCTION admin_audit.audit_pseudonymise(older_than timestamp with time zone, person uuid, step integer) FROM PUBLIC;
GRANT ALL ON FUNCTION admin_audit.audit_pseudonymise(older_than timestamp with time zone, person uuid, step integer) TO looptide_admin_audit;
GRANT SELECT ON TABLE admin_audit.audit_chain TO looptide_admin_audit;
GRANT SELECT ON TABLE admin_audit.audit_digests TO looptide_admin_audit;
GRANT SELECT ON TABLE admin_audit.audit_settings TO looptide_admin_audit;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin_audit.dead_letters TO looptide_admin_audit;
GRANT SELECT,USAGE ON SEQUENCE admin_audit.dead_letters_id_seq TO looptide_admin_audit;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin_audit.guard_grants TO looptide_admin_audit;
GRANT SELECT,USAGE ON SEQUENCE admin_audit.guard_grants_id_seq TO looptide_admin_audit;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin_audit.inbox TO looptide_admin_audit;
GRANT SELECT ON TABLE admin_audit.kysely_migration TO looptide_admin_audit;
GRANT SELECT ON TABLE admin_audit.kysely_migration_lock TO looptide_admin_audit;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin_audit.leases TO looptide_admin_audit;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin_audit.outbox TO looptide_admin_audit;
GRANT SELECT,USAGE ON SEQUENCE admin_audit.outbox_seq_seq TO looptide_admin_audit;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin_audit.published_events TO looptide_admin_audit;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin_audit.refused_attempts TO looptide_admin_audit;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin_audit.refused_attempts_of_networks TO looptide_admin_audit;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin_audit.removed_accounts TO looptide_admin_audit;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin_audit.security_marks TO looptide_admin_audit;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin_audit.theme_assets TO looptide_admin_audit;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE admin_audit.theme_settings TO looptide_admin_audit;
