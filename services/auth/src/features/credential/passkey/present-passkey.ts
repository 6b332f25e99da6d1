import type { Passkey } from '@looptide/contracts/http/passkeys'
import type { PasskeyRow } from './passkey-repository.ts'

/** A passkey as the auth protocol returns it. */
export const presentPasskey = ({ id, name, createdAt, lastUsedAt }: PasskeyRow): Passkey => ({
  id,
  friendly_name: name,
  created_at: createdAt.toISOString(),
  ...(lastUsedAt === null ? {} : { last_used_at: lastUsedAt.toISOString() }),
})
