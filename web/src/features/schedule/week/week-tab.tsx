import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useMediaQuery } from '../../../lib/browser/use-media-query.ts'
import { serverClock } from '../../../lib/clients.ts'
import { Button } from '../../../ui/button.tsx'
import { Choice } from '../../../ui/choice.tsx'
import { useSectionSettings } from '../../admin/section-settings.ts'
import type { TabProps } from '../draft/use-schedule-editor.ts'
import { mondayOf } from '../model/real-week.ts'
import { dateIn } from '../model/zoned-time.ts'
import { RealWeek } from './real-week.tsx'
import { TemplateWeek } from './template-week.tsx'

const WEEKS = [
  { id: 'template', label: 'Template' },
  { id: 'real', label: 'Real week' },
] as const

const VIEWS = [
  { id: 'grid', label: 'Grid' },
  { id: 'list', label: 'List' },
] as const

/**
 * The blocks that repeat every week, or one week with its dates, specials and holidays (`?week=` has its Monday), as a grid
 * or as a list with the same functions.
 */
export function WeekTab(props: TabProps) {
  const { timeZone } = props.editor.document
  const hasRoom = useMediaQuery('(min-width: 48rem)')
  const [{ view }, set] = useSectionSettings<{ view: string }>('schedule-week', { view: 'grid' })
  const [parameters, setParameters] = useSearchParams()
  const monday = mondayOf(parameters.get('week') ?? '')
  const isReal = monday !== undefined
  const show = (date: string | undefined) =>
    setParameters(
      (known) => {
        if (date === undefined) known.delete('week')
        else known.set('week', date)
        return known
      },
      { replace: true, preventScrollReset: true },
    )
  const today = dateIn(timeZone, serverClock.nowMs())
  const isGrid = hasRoom && view === 'grid'
  const box = useRef<HTMLDivElement>(null)
  const isChosen = useRef(false)
  // The other week has controls of its own, in which the focus stays at the same place. It may be drawn after others have
  // been drawn again.
  useEffect(() => {
    if (!isChosen.current) return
    isChosen.current = false
    box.current?.querySelector<HTMLElement>('input:checked')?.focus({ preventScroll: true })
  }, [isReal])
  const controls = (
    <div ref={box} className="flex flex-wrap items-center gap-2 print:hidden">
      <Choice
        label="Week"
        isLabelHidden
        options={WEEKS}
        value={isReal ? 'real' : 'template'}
        onChange={(shown) => {
          isChosen.current = true
          show(shown === 'real' ? mondayOf(today) : undefined)
        }}
      />
      {hasRoom && (
        <Choice
          label="View"
          isLabelHidden
          options={VIEWS}
          value={isGrid ? 'grid' : 'list'}
          onChange={(chosen) => set({ view: chosen })}
        />
      )}
      <Button onClick={() => window.print()}>Print</Button>
    </div>
  )
  return monday === undefined ? (
    <TemplateWeek {...props} isGrid={isGrid} controls={controls} />
  ) : (
    <RealWeek {...props} isGrid={isGrid} controls={controls} monday={monday} onShow={show} />
  )
}
