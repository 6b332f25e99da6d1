import { type Kysely, sql } from 'kysely'

const statements = [
  `create table security_keys (
    factor_id uuid primary key references factors on delete cascade,
    credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
    public_key bytea not null check (length(public_key) <= 4096),
    counter bigint not null check (counter >= 0),
    transports text[] not null
  )`,
  `alter table factors drop constraint factors_factor_type_check`,
  `alter table factors add constraint factors_factor_type_check
    check (factor_type in ('totp', 'webauthn', 'recovery_code')) not valid`,
]

/** Security keys: WebAuthn credentials as second factors. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
