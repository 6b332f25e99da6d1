import type { ScheduleProblem } from '@looptide/contracts/schedule'
import type { OpenEditor } from './use-schedule-editor.ts'

/** What the tabs of the editor receive. */
export type TabProps = { editor: OpenEditor; problems: readonly ScheduleProblem[] }
