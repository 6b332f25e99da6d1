import { type TSchema, type TString, type TStringOptions, Type } from 'typebox'
import { cleanAddress, cleanCode, cleanFragment, cleanLine, cleanParagraph } from './text.ts'

/**
 * The classes of text that a request may contain. Each string of a body, of params and of a query has one, as its
 * `format`, and is normalised by it before it is validated, so that limits and patterns apply to the text that is stored.
 */
const CLASSES: Readonly<Record<string, (text: string) => string>> = {
  line: cleanLine,
  fragment: cleanFragment,
  paragraph: cleanParagraph,
  address: cleanAddress,
  code: cleanCode,
  // Formats of JSON Schema, as codes.
  uuid: cleanCode,
  'date-time': cleanCode,
  // Normalised where it is hashed, so that hashes of the unchanged form can be verified (auth).
  password: String,
  opaque: String,
}

/** The names of all classes. */
export const TEXT_CLASSES = Object.keys(CLASSES)

const field =
  (format: string) =>
  (options: TStringOptions = {}): TString =>
    Type.String({ ...options, format })

/** A name, a title, a tag, a search: see {@link cleanLine}. */
export const Line = field('line')
/** A part of a line: see {@link cleanFragment}. */
export const Fragment = field('fragment')
/** A text of several lines: see {@link cleanParagraph}. */
export const Paragraph = field('paragraph')
/** An email address or a URL: see {@link cleanAddress}. */
export const Address = field('address')
/** A code, a number, a time, an id, a word of a protocol: see {@link cleanCode}. */
export const Code = field('code')
/** A password, which is not changed. */
export const PasswordText = field('password')
/** Bytes of a protocol, such as a signed token, which are not changed. */
export const Opaque = field('opaque')

/**
 * A text longer than so many times its limit is not normalised, because it is refused in any case: normalising a thousand
 * characters takes some milliseconds.
 */
const MAX_EXCESS = 8

type Normalise = (value: unknown) => unknown

/** The parts of JSON Schema that describe where the texts of a value are. */
interface Schema {
  type?: string
  format?: string
  maxLength?: number
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  patternProperties?: Readonly<Record<string, Schema>>
  items?: Schema
}

/**
 * Returns a function that normalises all texts of a value by their classes; undefined if the schema has none. The function
 * accepts any value, does not change it, and copies only what differs. Throws for a string without a class, so that no
 * field is forgotten. `path` is the schema's place, for the message.
 */
export function textNormaliser(schema: TSchema, path = ''): Normalise | undefined {
  return normaliserOf(schema as Schema, path)
}

function normaliserOf(schema: Schema, path: string): Normalise | undefined {
  if (schema.anyOf !== undefined) return inTurn(schema.anyOf.map((member) => normaliserOf(member, path)))
  if (schema.type === 'string' && schema.const === undefined && schema.enum === undefined)
    return textsOf(schema, path)
  if (schema.type === 'array') return itemsOf(normaliserOf(schema.items ?? {}, `${path}/*`))
  if (schema.type !== 'object') return undefined
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const normalise = normaliserOf(property, `${path}/${name}`)
    return normalise === undefined ? [] : [[name, normalise] as const]
  })
  const others = inTurn(
    Object.values(schema.patternProperties ?? {}).map((property) => normaliserOf(property, `${path}/*`)),
  )
  return membersOf(new Map(named), others)
}

function textsOf({ format, maxLength = Number.POSITIVE_INFINITY }: Schema, path: string): Normalise {
  const clean = format === undefined ? undefined : CLASSES[format]
  if (clean === undefined)
    throw new Error(`The text ${path} needs a class (packages/contracts/src/text-fields.ts).`)
  const longest = maxLength * MAX_EXCESS
  return (value) => (typeof value === 'string' && value.length <= longest ? clean(value) : value)
}

/** The members of a union in turn: each changes only what it describes. */
function inTurn(members: readonly (Normalise | undefined)[]): Normalise | undefined {
  const normalisers = members.filter((member) => member !== undefined)
  if (normalisers.length < 2) return normalisers[0]
  return (value) => normalisers.reduce((result, normalise) => normalise(result), value)
}

function itemsOf(normalise: Normalise | undefined): Normalise | undefined {
  if (normalise === undefined) return undefined
  return (value) => {
    if (!Array.isArray(value)) return value
    const items = value.map(normalise)
    return items.some((item, index) => item !== value[index]) ? items : value
  }
}

function membersOf(
  named: ReadonlyMap<string, Normalise>,
  others: Normalise | undefined,
): Normalise | undefined {
  if (named.size === 0 && others === undefined) return undefined
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    let changed: Record<string, unknown> | undefined
    for (const [name, member] of Object.entries(value)) {
      const normalised = (named.get(name) ?? others)?.(member) ?? member
      if (normalised === member) continue
      changed ??= { ...value }
      changed[name] = normalised
    }
    return changed ?? value
  }
}
