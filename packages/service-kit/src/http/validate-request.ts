import type { ErrorBody } from '@looptide/contracts/errors'
import { cleanCode } from '@looptide/contracts/text'
import { textNormaliser } from '@looptide/contracts/text-fields'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { isStorableInPostgres } from '../db/postgres-json.ts'
import { errors } from './errors.ts'
import { isWithinLimits } from './json-limits.ts'

/** Validation errors are listed only for values within these limits: listing recurses and is quadratic in repeated items. */
const LISTED_LIMITS = { depth: 32, members: 2000 }
const MAX_LISTED_ERRORS = 5
/** In characters. */
const MAX_LISTED_NAME = 100

type Validator = (data: unknown) => { value: unknown } | { error: Error }

const compiled = new WeakMap<TSchema, ReturnType<typeof Compile>>()

/** The check of a schema. GET and HEAD of a route have the same. */
function compiledOnce(schema: TSchema): ReturnType<typeof Compile> {
  const check = compiled.get(schema) ?? Compile(schema)
  compiled.set(schema, check)
  return check
}

/**
 * Validates texts in their normalised form (packages/contracts/src/text-fields.ts). Query and path parameters are first
 * converted from text.
 */
export function validatorFor(schema: TSchema, httpPart: string | undefined): Validator {
  const check = compiledOnce(schema)
  const normalise = httpPart === 'headers' ? undefined : textNormaliser(schema, httpPart)
  return (data) => {
    const given = httpPart === 'body' ? data : parseParams(schema, data as Record<string, unknown>)
    const value = normalise === undefined ? given : normalise(given)
    if (check.Check(value)) {
      return isStorableInPostgres(given)
        ? { value }
        : { error: errors.validation('A text contains a character that cannot be stored.') }
    }
    const invalid = isWithinLimits(value, LISTED_LIMITS) ? check.Errors(value).flatMap(detailsOf) : []
    return { error: errors.validation('The request is invalid.', invalid.slice(0, MAX_LISTED_ERRORS)) }
  }
}

/** An error of the validator with the path of the faulty field, also of a field that is unknown or missing. */
function detailsOf({ keyword, instancePath, message, params }: TLocalizedValidationError): Detail[] {
  const named = (names: readonly string[], text: string) =>
    names.map((name) => ({ path: `${instancePath}/${escapePointer(name)}`, message: text }))
  if (keyword === 'additionalProperties')
    return named(params.additionalProperties, 'is not a field of this request')
  if (keyword === 'required') return named(params.requiredProperties, 'is missing')
  // The same unknown field, from the schema that refuses it.
  return keyword === 'boolean' ? [] : [{ path: instancePath, message }]
}

type Detail = NonNullable<ErrorBody['details']>[number]

/** A name as a part of a JSON pointer (RFC 6901 §3), cut: clients may send any name. */
const escapePointer = (name: string): string =>
  name.slice(0, MAX_LISTED_NAME).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')

/** Converts text to numbers and booleans as the schema requires. Other text stays unchanged and fails validation. */
function parseParams(schema: TSchema, texts: Record<string, unknown>): Record<string, unknown> {
  const properties = ('properties' in schema ? schema.properties : {}) as Record<
    string,
    { type?: string; default?: unknown }
  >
  const value: Record<string, unknown> = { ...texts }
  for (const [name, property] of Object.entries(properties)) {
    const given = texts[name]
    if (given === undefined && property.default !== undefined) value[name] = property.default
    if (typeof given !== 'string') continue
    const text = cleanCode(given)
    if (property.type === 'integer' && /^-?\d{1,16}$/.test(text)) value[name] = Number(text)
    else if (property.type === 'number' && /^-?\d{1,16}(\.\d+)?$/.test(text)) value[name] = Number(text)
    else if (property.type === 'boolean' && /^(true|false)$/.test(text)) value[name] = text === 'true'
  }
  return value
}
