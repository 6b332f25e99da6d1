import fc from 'fast-check'
import { awkwardTexts } from './hostile-texts.ts'

/** The keywords of JSON Schema that the station's OpenAPI document uses. */
export interface JsonSchema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null'
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  additionalProperties?: boolean | JsonSchema
  patternProperties?: Record<string, JsonSchema>
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  multipleOf?: number
}

/** Values that come from outside the schema. */
export interface Ingredients {
  /** Ids of existing rows, so that a request gets further than "not found". */
  ids: readonly string[]
  /** A URL that no process may request. */
  bait: string
}

const MOST_ITEMS = 4
const LONGEST = 5000

/**
 * Values that a schema accepts, edge cases first. No maintained library does this: `json-schema-fast-check` was abandoned
 * before fast-check 2, and others have their own random generator, so a seed cannot reproduce their values.
 */
export function valuesOf(schema: JsonSchema, from: Ingredients): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => valuesOf(one, from)))
  switch (schema.type) {
    case 'object':
      return objects(schema, from)
    case 'array':
      return arrays(schema, from)
    case 'string':
      return texts(schema, from)
    case 'integer':
    case 'number':
      return numbers(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function objects(schema: JsonSchema, from: Ingredients): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  if (Object.keys(properties).length === 0 && typeof additionalProperties === 'object')
    return fc.dictionary(fc.string({ maxLength: 10 }), valuesOf(additionalProperties, from), { maxKeys: 4 })
  const members = Object.entries(properties).map(([name, one]) => [name, valuesOf(one, from)] as const)
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required], noNullPrototype: true })
}

function arrays(schema: JsonSchema, from: Ingredients): fc.Arbitrary<unknown> {
  const { items = {}, minItems = 0, maxItems = MOST_ITEMS, uniqueItems = false } = schema
  const size = { minLength: minItems, maxLength: Math.max(minItems, Math.min(MOST_ITEMS, maxItems)) }
  const values = valuesOf(items, from)
  return uniqueItems ? fc.uniqueArray(values, size) : fc.array(values, size)
}

function numbers({ minimum = -1000, maximum = 2 ** 40, multipleOf = 1 }: JsonSchema): fc.Arbitrary<number> {
  const [min, max] = [Math.ceil(minimum / multipleOf), Math.floor(Math.max(minimum, maximum) / multipleOf)]
  return fc.integer({ min, max }).map((n) => n * multipleOf)
}

function texts(schema: JsonSchema, { ids, bait }: Ingredients): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = LONGEST } = schema
  if (format === 'uuid')
    return ids.length === 0
      ? fc.uuid()
      : fc.oneof({ arbitrary: fc.constantFrom(...ids), weight: 3 }, fc.uuid())
  if (format === 'date-time')
    return fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((at) => at.toISOString())
  const fits = (text: string): boolean =>
    text.length >= minLength &&
    text.length <= maxLength &&
    (pattern === undefined || new RegExp(pattern, 'u').test(text))
  const awkward = awkwardTexts(bait).map((text) => text.slice(0, maxLength).toWellFormed())
  if (pattern === undefined) return minLength === 0 ? awkward : awkward.filter(fits)
  if (fits('a ready text')) return awkward.filter(fits)
  return matching(pattern, ids).filter(fits)
}

/** Texts that match a pattern. fast-check ignores negative lookahead, so the caller filters its texts. */
function matching(pattern: string, ids: readonly string[]): fc.Arbitrary<string> {
  const known = ids.filter((id) => new RegExp(pattern, 'u').test(id))
  const made = fc.stringMatching(new RegExp(pattern.replaceAll(/\(\?![^)]*\)/g, ''), 'u'), { maxLength: 200 })
  const printable = made.map((text) => text.toWellFormed().replaceAll('\0', '0'))
  return known.length === 0
    ? printable
    : fc.oneof({ arbitrary: fc.constantFrom(...known), weight: 3 }, printable)
}
