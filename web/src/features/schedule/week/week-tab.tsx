import type { Block, Weekday } from '@looptide/contracts/schedule'
import { useState } from 'react'
import { useMediaQuery } from '../../../lib/browser/use-media-query.ts'
import { Button } from '../../../ui/button.tsx'
import { Choice } from '../../../ui/choice.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { useSectionSettings } from '../../admin/section-settings.ts'
import { BlockDialog } from '../blocks/block-dialog.tsx'
import type { TabProps } from '../draft/use-schedule-editor.ts'
import { DaysField } from '../fields/days-field.tsx'
import { copyDay, putBlock, removeFromDays, replacedByCopy } from '../model/block-edits.ts'
import { newId } from '../model/names.ts'
import { problemsAt } from '../model/problem-place.ts'
import { ALL_DAYS, dayName, daysText, WEEKEND, WORKDAYS } from '../model/times.ts'
import type { WeekActions } from './week-actions.ts'
import { WeekGrid } from './week-grid.tsx'
import { WeekList } from './week-list.tsx'

const NEW_BLOCK = { days: ALL_DAYS, from: '20:00', to: '22:00' }

/** What is open: a block in its dialog, or the dialog that copies a day. */
type Open = { block: Block; isNew: boolean } | { copiedDay: Weekday }

const VIEWS = [
  { id: 'grid', label: 'Grid' },
  { id: 'list', label: 'List' },
] as const

/** The blocks of the week, as a grid or as a list with the same functions. */
export function WeekTab({ editor, problems }: TabProps) {
  const { document } = editor
  const blocks = document.blocks ?? []
  const hasRoom = useMediaQuery('(min-width: 48rem)')
  const [{ view }, set] = useSectionSettings<{ view: string }>('schedule-week', { view: 'grid' })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const change = (apply: (blocks: readonly Block[]) => Block[], part?: string) =>
    editor.change((known) => ({ ...known, blocks: apply(known.blocks ?? []) }), part)

  const create = (place: { days: readonly Weekday[]; from: string; to: string }) =>
    setOpen({ block: newBlock(blocks, document.defaultSource, place), isNew: true })
  const remove = (block: Block, day?: Weekday) => {
    change((known) => removeFromDays(known, day ? [day] : ALL_DAYS, block.id))
    toast({ title: 'Block removed', description: day ? `${block.name}, ${dayName(day)}` : block.name })
  }
  const actions: WeekActions = {
    create,
    edit: (block) => setOpen({ block, isNew: false }),
    remove,
    copy: (copiedDay) => setOpen({ copiedDay }),
    change,
  }
  const marked = new Set(
    blocks.filter((_, index) => problemsAt(problems, `/blocks/${index}`).length > 0).map(({ id }) => id),
  )
  const isGrid = hasRoom && view === 'grid'
  const hasExactStart = blocks.some(({ start }) => start === 'hard')
  return (
    <section aria-label="Week" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button tone="primary" icon="plus" onClick={() => create(NEW_BLOCK)}>
          Add block
        </Button>
        <p className="min-w-0 flex-1 basis-60 text-sm text-muted">
          Outside blocks the channel plays {document.defaultSource}. Times are local times of{' '}
          {document.timeZone}.{isGrid && hasExactStart && ' Blocks with ● start at the exact time.'}
        </p>
        {hasRoom && (
          <Choice
            label="View"
            isLabelHidden
            options={VIEWS}
            value={isGrid ? 'grid' : 'list'}
            onChange={(chosen) => set({ view: chosen })}
          />
        )}
      </div>
      {isGrid ? (
        <WeekGrid blocks={blocks} marked={marked} actions={actions} />
      ) : (
        <WeekList blocks={blocks} marked={marked} actions={actions} />
      )}
      {open && 'block' in open && (
        <BlockDialog
          key={open.block.id}
          document={document}
          block={open.block}
          isNew={open.isNew}
          problems={problemsAt(problems, `/blocks/${blocks.findIndex(({ id }) => id === open.block.id)}`)}
          onSave={(block) => change((known) => putBlock(known, block))}
          onRemove={() => remove(open.block)}
          onDuplicate={
            open.isNew
              ? undefined
              : () => setOpen({ block: { ...open.block, id: newId(open.block.name, blocks) }, isNew: true })
          }
          onClose={close}
        />
      )}
      {open && 'copiedDay' in open && (
        <CopyDayDialog
          blocks={blocks}
          day={open.copiedDay}
          onCopy={(days) => change((known) => copyDay(known, open.copiedDay, days))}
          onClose={close}
        />
      )}
    </section>
  )
}

function newBlock(
  blocks: readonly Block[],
  source: string,
  { days, ...times }: { days: readonly Weekday[]; from: string; to: string },
): Block {
  return { id: newId('block', blocks), name: 'New block', ...times, days: [...days], start: 'soft', source }
}

/** Asks to which days a day is copied; the rest of the working week, or the weekend, is chosen at first. */
function CopyDayDialog(props: {
  blocks: readonly Block[]
  day: Weekday
  onCopy: (days: readonly Weekday[]) => void
  onClose: () => void
}) {
  const { day, onCopy, onClose } = props
  const group = WORKDAYS.includes(day) ? WORKDAYS : WEEKEND
  const [days, setDays] = useState<readonly Weekday[]>(group.filter((one) => one !== day))
  const replaced = replacedByCopy(props.blocks, day, days)
  const form = useForm({
    send: async () => {
      onCopy(days)
      toast({ title: `${dayName(day)} copied`, description: daysText(days), tone: 'success' })
      onClose()
    },
  })
  return (
    <Dialog title={`Copy ${dayName(day)}`} isOpen onClose={onClose} width="narrow">
      <Form form={form}>
        <p className="text-sm text-muted">
          The blocks that start on the chosen days are replaced with those of {dayName(day)}.
        </p>
        <DaysField label="To" value={days} disabled={day} onChange={setDays} />
        {replaced.length > 0 && (
          <div role="status" className="grid gap-1 text-sm">
            <p className="font-semibold">Removed from these days:</p>
            <ul className="list-disc pl-5">
              {replaced.map(({ block, days: lost }) => (
                <li key={block.id} className="wrap-anywhere">
                  {block.name} ({daysText(lost)})
                </li>
              ))}
            </ul>
          </div>
        )}
        <DialogActions onCancel={onClose}>
          <SubmitButton form={form} disabled={days.length === 0}>
            Copy
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
