import { isStorableInPostgres } from '@looptide/service-kit/db/postgres-json'
import Schema from 'typebox/schema'
import type { Place } from './routes.ts'
import type { JsonSchema } from './schema-values.ts'

const compiled = new Map<JsonSchema, { Check(value: unknown): boolean }>()

/** Whether a value is valid for a JSON schema. */
function fits(schema: JsonSchema, value: unknown): boolean {
  let check = compiled.get(schema)
  if (check === undefined) {
    check = Schema.Compile(schema as Record<string, unknown>)
    compiled.set(schema, check)
  }
  return check.Check(value)
}

/** Whether a JSON body with this text must be refused. */
export function isBadBody(schema: JsonSchema | undefined, text: string): boolean {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return text !== ''
  }
  return schema !== undefined && (!fits(schema, body) || !isStorableInPostgres(body))
}

/** Whether this text must be refused as a URL parameter. Also false if the schema does not decide it. */
export function isBadText({ schema }: Place, encoded: string): boolean {
  let text: string
  try {
    text = decodeURIComponent(encoded.replaceAll('+', ' '))
  } catch {
    return false
  }
  if (!isStorableInPostgres(text)) return true
  if (schema.type === 'integer') return !/^-?\d{1,16}$/.test(text) || !fits(schema, Number(text))
  if (schema.type === 'boolean') return text !== 'true' && text !== 'false'
  return !fits(schema, text)
}
