import type { ScheduleProblem } from '@looptide/contracts/schedule'
import type { OpenEditor } from './use-schedule-editor.ts'

/** What the tabs of the editor receive. */
export interface TabProps {
  editor: OpenEditor
  problems: readonly ScheduleProblem[]
}
