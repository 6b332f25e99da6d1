import { TEXT_CLASSES } from '@looptide/contracts/text-fields'
import fastJsonStringify, { type Schema } from 'fast-json-stringify'
import type { TSchema } from 'typebox'

type Serialiser = (answer: unknown) => string

// The serialiser ignores the classes of texts, but logs formats that it does not know.
const formats = Object.fromEntries(TEXT_CLASSES.map((name) => [name, true as const]))
const compiled = new WeakMap<TSchema, Serialiser>()

/**
 * The serialiser of answers with this schema. It is compiled once: GET and HEAD have the same, and compiling those of all
 * operations takes longer than the rest of a service's start.
 */
export function serialiserFor(schema: TSchema): Serialiser {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const serialise = fastJsonStringify(schema as Schema, { ajv: { formats } })
  compiled.set(schema, serialise)
  return serialise
}
