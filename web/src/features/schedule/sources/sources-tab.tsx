import type { FollowedList } from '@looptide/contracts/http/followed-lists'
import type { Source } from '@looptide/contracts/schedule'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { lazyDialog } from '../../admin/lazy-part.ts'
import { useChannels } from '../../admin/use-channels.ts'
import type { TabProps } from '../draft/use-schedule-editor.ts'
import { ProblemLines } from '../fields/problem-lines.tsx'
import { newName } from '../model/names.ts'
import { problemsAt } from '../model/problem-place.ts'
import { renameSource, usesOfSource } from '../model/references.ts'
import { sourceText } from '../model/sentences.ts'
import { SourceDialog } from './source-dialog.tsx'
import { SourceMatches } from './source-matches.tsx'

const NEW_SOURCE: Source = { kind: 'smart', where: {}, order: 'shuffle' }

/** The sources of the schedule: what each provides, and where it is used. */
export function SourcesTab({ editor, problems }: TabProps) {
  const { document, channel } = editor
  const channels = useChannels().data?.items ?? []
  const channelName = (id: string) => channels.find((one) => one.id === id)?.name ?? id
  /** The name of the source in the dialog; an empty one is new. */
  const [open, setOpen] = useState<string>()
  const save = (before: string, name: string, source: Source) =>
    editor.change((known) => {
      const renamed = before === '' || before === name ? known : renameSource(known, before, name)
      return { ...renamed, sources: { ...renamed.sources, [name]: source } }
    })
  const remove = (name: string) =>
    editor.change((known) => {
      const { [name]: _removed, ...sources } = known.sources
      return { ...known, sources }
    })
  return (
    <section aria-label="Sources" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button tone="primary" icon="plus" onClick={() => setOpen('')}>
          Add source
        </Button>
        <FollowSource
          names={Object.keys(document.sources)}
          onSave={(name, source) => save('', name, source)}
        />
        <p className="min-w-0 flex-1 basis-60 text-sm text-muted">
          Blocks and clocks play sources. Outside blocks the channel plays {document.defaultSource}.
        </p>
      </div>
      <ul aria-label="Sources" className="grid gap-3 md:grid-cols-2 2xl:grid-cols-3">
        {Object.entries(document.sources).map(([name, source]) => {
          const uses = usesOfSource(document, name)
          return (
            <li key={name} className="grid content-start gap-2 rounded-lg border border-line/70 bg-panel p-4">
              <div className="flex items-start gap-2">
                <h3 className="min-w-0 flex-1 text-lg font-semibold wrap-anywhere">{name}</h3>
                <Button aria-label={`Edit ${name}`} onClick={() => setOpen(name)}>
                  Edit
                </Button>
              </div>
              <p className="text-sm break-words text-muted">{sourceText(source, channelName)}</p>
              <SourceMatches channelId={channel.id} source={source} isShort />
              <ProblemLines problems={problemsAt(problems, `/sources/${name}`)} />
              <p className="text-sm text-muted">{usesText(source, uses)}</p>
            </li>
          )
        })}
      </ul>
      {open !== undefined && (
        <SourceDialog
          key={open}
          channelId={channel.id}
          channels={channels}
          name={open}
          source={document.sources[open] ?? NEW_SOURCE}
          otherNames={Object.keys(document.sources).filter((name) => name !== open)}
          uses={open === '' ? [] : usesOfSource(document, open)}
          problems={open === '' ? [] : problemsAt(problems, `/sources/${open}`)}
          onSave={(name, source) => save(open, name, source)}
          onRemove={() => remove(open)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  )
}

/** Where a source is used. All fillers may fill the time before an exact start. */
function usesText({ kind }: Source, uses: readonly string[]): string {
  if (uses.length > 0) return `Used by ${uses.join(', ')}.`
  return kind === 'filler' ? 'Used before exact starts.' : 'Not used yet.'
}

const FollowDialog = lazyDialog(
  async () => (await import('../../library/followed/follow-dialog.tsx')).FollowDialog,
)

/** Follows a YouTube playlist or channel, and adds a source that plays its videos. */
function FollowSource(props: { names: readonly string[]; onSave: (name: string, source: Source) => void }) {
  const [isOpen, setOpen] = useState(false)
  const add = ({ tag }: FollowedList) => {
    const name = newName(tag, props.names)
    props.onSave(name, { kind: 'smart', where: { tags: [tag] }, order: 'shuffle' })
    toast({
      title: 'List followed',
      description: `The source ${name} plays its videos.`,
      tone: 'success',
    })
  }
  return (
    <>
      <Button icon="sync" onClick={() => setOpen(true)}>
        Follow a YouTube list
      </Button>
      {isOpen && <FollowDialog onClose={() => setOpen(false)} onFollowed={add} />}
    </>
  )
}
