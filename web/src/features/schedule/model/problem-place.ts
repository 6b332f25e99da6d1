import type { ScheduleDocument, ScheduleProblem } from '@looptide/contracts/schedule'

export type Tab = 'week' | 'calendar' | 'clocks' | 'sources' | 'rules' | 'preview' | 'versions' | 'log'

/** Where a problem can be fixed: the tab, and a name of the part for the summary. */
export interface ProblemPlace {
  tab: Tab
  what: string
}

/** The segments of a JSON pointer (RFC 6901). */
const segmentsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The tab that shows the part of a problem. */
export function placeOf(document: ScheduleDocument, { path }: ScheduleProblem): ProblemPlace {
  const [part = '', key = ''] = segmentsOf(path)
  const index = Number(key)
  switch (part) {
    case 'blocks':
      return { tab: 'week', what: document.blocks?.[index]?.name ?? 'Week' }
    case 'specials':
      return { tab: 'calendar', what: document.specials?.[index]?.name ?? 'Specials' }
    case 'overrides': {
      const override = document.overrides?.[index]
      return { tab: 'calendar', what: override?.name ?? override?.id ?? 'Holidays' }
    }
    case 'clocks':
      return { tab: 'clocks', what: `Clock ${key}` }
    case 'sources':
      return { tab: 'sources', what: `Source ${key}` }
    case 'timeZone':
      return { tab: 'rules', what: 'Time zone' }
    case 'defaultSource':
      return { tab: 'rules', what: 'Default source' }
    default:
      return { tab: 'rules', what: 'Rules' }
  }
}

/** The messages of the problems of a part, such as `/blocks/2`, and of what is inside it. */
export const problemsAt = (problems: readonly ScheduleProblem[], pointer: string): string[] =>
  problems
    .filter(({ path }) => path === pointer || path.startsWith(`${pointer}/`))
    .map(({ message }) => message)
