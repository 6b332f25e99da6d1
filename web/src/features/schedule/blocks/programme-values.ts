import type { OverrideBlock, Rules, ScheduleDocument } from '@looptide/contracts/schedule'

/** What blocks of the week, blocks of holidays and specials have in common, as the values of a form. */
export interface ProgrammeValues {
  name: string
  description: string
  colour: string | undefined
  start: 'soft' | 'hard'
  /** `source:NAME` or `clock:NAME`. */
  plays: string
  rules: Rules
}

type Programme = Pick<
  OverrideBlock,
  'name' | 'description' | 'colour' | 'start' | 'clock' | 'source' | 'rules'
>

export const valuesOf = (programme: Programme): ProgrammeValues => ({
  name: programme.name,
  description: programme.description ?? '',
  colour: programme.colour,
  start: programme.start ?? 'soft',
  plays: programme.clock === undefined ? `source:${programme.source ?? ''}` : `clock:${programme.clock}`,
  rules: programme.rules ?? {},
})

/** The fields of the document; empty ones are left out. */
export function programmeOf(values: ProgrammeValues): Programme {
  const [kind = '', name = ''] = values.plays.split(':', 2)
  const description = values.description.trim()
  return {
    name: values.name.trim(),
    ...(description && { description }),
    ...(values.colour && { colour: values.colour }),
    start: values.start,
    ...(kind === 'clock' ? { clock: name } : { source: name }),
    ...(Object.keys(values.rules).length > 0 && { rules: values.rules }),
  }
}

/** What can be chosen as the content of a block. A name that does not exist stays a choice until another is chosen. */
export function contentChoices(
  document: ScheduleDocument,
  current: string,
): { value: string; label: string }[] {
  const choices = [
    ...Object.keys(document.clocks ?? {}).map((name) => ({
      value: `clock:${name}`,
      label: `Clock: ${name}`,
    })),
    ...Object.keys(document.sources).map((name) => ({ value: `source:${name}`, label: `Source: ${name}` })),
  ]
  if (choices.some(({ value }) => value === current)) return choices
  return [{ value: current, label: `Missing: ${current.split(':', 2)[1] || 'nothing chosen'}` }, ...choices]
}

/** Colours of blocks. Text is never drawn in them, so that they need no contrast to text. */
export const COLOURS: readonly { value: string; name: string }[] = [
  { value: '#f59e0b', name: 'Amber' },
  { value: '#ef4444', name: 'Red' },
  { value: '#ec4899', name: 'Pink' },
  { value: '#a855f7', name: 'Purple' },
  { value: '#6366f1', name: 'Indigo' },
  { value: '#0ea5e9', name: 'Blue' },
  { value: '#14b8a6', name: 'Teal' },
  { value: '#22c55e', name: 'Green' },
]
