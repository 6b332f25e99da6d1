import { ScheduleDocument, type ScheduleProblem } from '@looptide/contracts/schedule'
import { textNormaliser } from '@looptide/contracts/text-fields'
import { Compile } from 'typebox/compile'
import { Check, Errors } from 'typebox/value'

/** Maximum number of problems in an answer. */
export const MAX_PROBLEMS = 100

/** The parts of JSON Schema that the document's schema uses. */
interface Schema {
  type?: string
  const?: unknown
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** Normalises the texts of a schedule document, which may be faulty. */
export const normaliseDocument = textNormaliser(ScheduleDocument, '') ?? ((value: unknown) => value)

const DOCUMENT: Schema = ScheduleDocument
const DRAFT: Schema = { ...DOCUMENT, required: [] }

/**
 * The places where a value differs from the schema of a schedule document, each with a message for admins. A draft may
 * leave out fields of the document itself. Names, overlaps and rules are checked by check-schedule.ts.
 */
export function documentProblems(value: unknown, kind: 'draft' | 'complete'): ScheduleProblem[] {
  const finder = new ProblemFinder()
  finder.visit(kind === 'draft' ? DRAFT : DOCUMENT, value, '')
  return finder.problems.slice(0, MAX_PROBLEMS)
}

const checks = new WeakMap<Schema, (value: unknown) => boolean>()

/** Whether a value fits a schema. Each part of the document's schema is compiled once. */
function isValid(schema: Schema, value: unknown): boolean {
  let check = checks.get(schema)
  if (check === undefined) {
    const validator = Compile(schema)
    check = (candidate) => validator.Check(candidate)
    checks.set(schema, check)
  }
  return check(value)
}

class ProblemFinder {
  readonly problems: ScheduleProblem[] = []

  visit(schema: Schema, value: unknown, path: string): void {
    if (this.problems.length >= MAX_PROBLEMS) return
    // JSON Schema accepts names that match no pattern, so objects with free names are visited.
    if (
      schema !== DOCUMENT &&
      schema !== DRAFT &&
      schema.patternProperties === undefined &&
      isValid(schema, value)
    )
      return
    const member = schema.anyOf === undefined ? schema : memberFor(schema.anyOf, value)
    if (member === undefined) this.#add(path, unionMessage(schema.anyOf ?? []))
    else if (member.type === 'object') this.#visitObject(member, value, path)
    else if (member.type === 'array' && Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.visit(member.items ?? {}, item, `${path}/${index}`)
      this.#visitLeaf({ ...member, items: {} }, value, path)
    } else this.#visitLeaf(member, value, path)
  }

  #visitObject(schema: Schema, value: unknown, path: string): void {
    if (!isRecord(value)) {
      this.#add(path, path === '' ? 'A schedule is a JSON object.' : 'Must be an object.')
      return
    }
    const { properties = {}, required = [], patternProperties = {} } = schema
    for (const name of required) {
      if (value[name] === undefined) this.#add(pointer(path, name), 'This field is missing.')
    }
    const [entries] = Object.entries(patternProperties)
    for (const [name, item] of Object.entries(value)) {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (known !== undefined) this.visit(known, item, pointer(path, name))
      else if (entries === undefined) this.#add(pointer(path, name), `There is no field "${name}" here.`)
      else if (new RegExp(entries[0]).test(name)) this.visit(entries[1], item, pointer(path, name))
      else this.#add(pointer(path, name), `"${name}" is not a name of up to 64 letters, digits, - and _.`)
    }
    if (entries !== undefined) this.#visitLeaf({ ...schema, patternProperties: { '': {} } }, value, path)
  }

  #visitLeaf(schema: Schema, value: unknown, path: string): void {
    if (Check(schema, value)) return
    const [error] = Errors(schema, value)
    const text = schema.description === undefined ? error?.message : `must be ${schema.description}`
    this.#add(path, `${sentence(text ?? 'is not valid')}${quotesHint(schema, value)}`)
  }

  #add(path: string, message: string): void {
    this.problems.push({ path, message })
  }
}

/** The member of a union that a value is meant to be: the one that accepts it, or shares most of its field names. */
function memberFor(members: readonly Schema[], value: unknown): Schema | undefined {
  const accepting = members.find((member) => isValid(member, value))
  if (accepting !== undefined || !isRecord(value)) return accepting
  const objects = members.filter(({ type, properties = {} }) => {
    const kind = properties.kind
    return type === 'object' && (kind === undefined || kind.const === value.kind)
  })
  const shared = ({ properties = {} }: Schema) =>
    Object.keys(value).filter((key) => Object.hasOwn(properties, key))
  return objects.toSorted((a, b) => shared(b).length - shared(a).length)[0]
}

function unionMessage(members: readonly Schema[]): string {
  const values = members.map((member) => member.const ?? member.properties?.kind?.const)
  const known = values.filter((value) => value !== undefined)
  if (known.length === 0) return 'Is not valid here.'
  const field = members.some(({ properties }) => properties !== undefined) ? 'Its kind must' : 'Must'
  return `${field} be one of: ${known.join(', ')}.`
}

/** Why a text of a YAML document is none: YAML reads some texts as something else. */
function quotesHint(schema: Schema, value: unknown): string {
  if (schema.type !== 'string') return ''
  if (value === null) return ' YAML reads no text here, because # starts a comment: put it in quotes.'
  if (typeof value === 'number') return ' YAML reads a number: put it in quotes.'
  return typeof value === 'boolean' ? ' YAML reads true or false: put it in quotes.' : ''
}

function sentence(text: string): string {
  const plain = text.replace('>=', 'at least').replace('<=', 'at most').replace('be array', 'be a list')
  return `${plain[0]?.toUpperCase()}${plain.slice(1)}.`
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A JSON pointer (RFC 6901) to a field. */
const pointer = (path: string, name: string): string =>
  `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
