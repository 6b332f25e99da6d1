import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { SelectField } from '../../../ui/select-field.tsx'
import type { TabProps } from '../draft/tab-props.ts'
import { NumberField } from '../fields/number-field.tsx'
import { ProblemLines } from '../fields/problem-lines.tsx'
import { TimeZoneField } from '../fields/time-zone-field.tsx'
import { problemsAt } from '../model/problem-place.ts'
import { ExcludedSongs } from './excluded-songs.tsx'
import { RulesFields } from './rules-fields.tsx'

const DEFAULT_FREEZE_MINUTES = 10

/** The rules of the channel, the excluded songs, and the settings of the whole schedule. */
export function RulesTab({ editor, problems }: TabProps) {
  const { document } = editor
  const set = (change: Partial<ScheduleDocument>, part: string) =>
    editor.change((known) => ({ ...known, ...change }), part)
  const sources = Object.keys(document.sources)
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title="Rules of the channel">
        <ProblemLines problems={problemsAt(problems, '/rules')} />
        <RulesFields rules={document.rules ?? {}} onChange={(rules) => set({ rules }, 'rules')} />
      </Card>
      <div className="grid gap-4">
        <Card title="Excluded songs">
          <ExcludedSongs editor={editor} />
          <ProblemLines problems={problemsAt(problems, '/exclusions')} />
        </Card>
        <Card title="Settings">
          <TimeZoneField
            value={document.timeZone}
            problem={problemsAt(problems, '/timeZone')[0]}
            onChange={(timeZone) => set({ timeZone }, 'time zone')}
          />
          <div className="grid gap-1.5">
            <SelectField
              label="Default source"
              choices={[...new Set([...sources, document.defaultSource])].map((value) => ({
                value,
                label: value,
              }))}
              value={document.defaultSource}
              onChange={(defaultSource) => set({ defaultSource }, 'default source')}
            />
            <p className="text-sm text-muted">
              Plays outside blocks, and whenever a block has nothing to play.
            </p>
            <ProblemLines problems={problemsAt(problems, '/defaultSource')} />
          </div>
          <NumberField
            label="Protected minutes"
            hint="Publishing changes nothing that starts within this time."
            min={0}
            max={1440}
            step={1}
            value={document.freezeMinutes ?? DEFAULT_FREEZE_MINUTES}
            onChange={(minutes) =>
              minutes !== undefined && set({ freezeMinutes: Math.round(minutes) }, 'protected minutes')
            }
          />
        </Card>
      </div>
    </div>
  )
}

function Card({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-4 rounded-lg border border-line/70 bg-panel p-4">
      <h3 className="text-lg font-semibold">{title}</h3>
      {children}
    </section>
  )
}
