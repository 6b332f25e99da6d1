import type { PersonalToken } from '@looptide/contracts/http/personal-tokens'
import { TOKEN_SCOPE_NAMES } from '@looptide/contracts/token-scopes'
import type { PersonalTokenRow } from '../../session/personal-token-repository.ts'

/** A token as its owner sees it. */
export const presentPersonalToken = (row: PersonalTokenRow): PersonalToken => ({
  id: row.id,
  name: row.name,
  scopes: TOKEN_SCOPE_NAMES.filter((scope) => row.scopes.includes(scope)),
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
})
