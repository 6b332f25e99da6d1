import type { Channel } from '@looptide/contracts/http/channels'
import type { Video } from '@looptide/contracts/http/videos'
import { REQUEST_SOURCES, type Source, type SourceOrder } from '@looptide/contracts/schedule'
import { useState } from 'react'
import { EditDialog } from '../../../ui/edit-dialog.tsx'
import { Form, SubmitButton } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { useForm } from '../../../ui/use-form.ts'
import { VideoPicker } from '../../admin/video-picker.tsx'
import { EditActions } from '../fields/edit-actions.tsx'
import { ProblemLines } from '../fields/problem-lines.tsx'
import { ReferenceNameField } from '../fields/reference-name-field.tsx'
import { toName } from '../model/names.ts'
import { ORDER_LABELS } from '../model/sentences.ts'
import { SmartQueryFields } from './smart-query-fields.tsx'
import { SourceMatches } from './source-matches.tsx'

const KINDS: readonly { value: Source['kind']; label: string }[] = [
  { value: 'smart', label: 'Library search' },
  { value: 'playlist', label: 'Playlist of a channel' },
  { value: 'video', label: 'Single video' },
  { value: 'filler', label: 'Filler before exact starts' },
]
/** Made by “Watch together again”; a source of another kind cannot become one. */
const AIRINGS_KIND = { value: 'airings', label: 'Programmes of a past evening' } as const

const ORDERS = (Object.keys(ORDER_LABELS) as SourceOrder[]).map((value) => ({
  value,
  label: ORDER_LABELS[value],
}))

/** Creates or edits a source, with the videos that it would provide. An empty `name` creates one. */
export function SourceDialog(props: {
  channelId: string
  channels: readonly Channel[]
  name: string
  source: Source
  otherNames: readonly string[]
  /** Where the source is used; it can be deleted only if it is unused. */
  uses: readonly string[]
  problems: readonly string[]
  onSave: (name: string, source: Source) => void
  onRemove: () => void
  onClose: () => void
}) {
  const { channelId, onClose } = props
  const isNew = props.name === ''
  const [text, setText] = useState(props.name)
  const [source, setSource] = useState(props.source)
  const name = toName(text)
  const form = useForm({
    check: () => {
      if (name === '') return { field: 'name', description: 'Enter a name' }
      if (props.otherNames.includes(name) || REQUEST_SOURCES.includes(name))
        return { field: 'name', description: `A source named ${name} already exists` }
      return source.kind === 'video' && source.videoId === ''
        ? { field: 'video', description: 'Choose a video' }
        : undefined
    },
    send: async () => {
      props.onSave(name, source)
      onClose()
    },
  })
  return (
    <EditDialog
      title={isNew ? 'New source' : `Edit ${props.name}`}
      before={[props.name, props.source]}
      now={[text, source]}
      isOpen
      onClose={onClose}
      width="wide"
    >
      <Form form={form}>
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <div className="grid gap-4">
            <ProblemLines problems={props.problems} />
            <ReferenceNameField form={form} text={text} onChange={setText} />
            <KindFields source={source} onChange={setSource} />
            <Details
              {...{ source, channelId }}
              channels={props.channels}
              error={form.field('video').error}
              onChange={setSource}
            />
          </div>
          {(source.kind !== 'video' || source.videoId !== '') && (
            <SourceMatches channelId={channelId} source={source} />
          )}
        </div>
        <EditActions onRemove={isNew ? undefined : props.onRemove} uses={props.uses} onClose={onClose}>
          <SubmitButton form={form}>{isNew ? 'Add source' : 'Save source'}</SubmitButton>
        </EditActions>
      </Form>
    </EditDialog>
  )
}

/** The kind of a source, and its order. */
function KindFields(props: { source: Source; onChange: (source: Source) => void }) {
  const { source, onChange } = props
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label="Kind"
        choices={source.kind === 'airings' ? [...KINDS, AIRINGS_KIND] : KINDS}
        value={source.kind}
        onChange={(kind) => onChange(ofKind(kind, source))}
      />
      {source.kind !== 'video' && source.kind !== 'airings' && (
        <SelectField
          label="Order"
          choices={source.kind === 'playlist' ? ORDERS : ORDERS.filter(({ value }) => value !== 'playlist')}
          value={source.order ?? (source.kind === 'playlist' ? 'playlist' : 'shuffle')}
          onChange={(order) => onChange({ ...source, order })}
        />
      )}
    </div>
  )
}

/** The fields of a kind of source. */
function Details(props: {
  source: Source
  channelId: string
  channels: readonly Channel[]
  error: string | undefined
  onChange: (source: Source) => void
}) {
  const { source, onChange } = props
  switch (source.kind) {
    case 'playlist':
      return (
        <SelectField
          label="Channel"
          choices={[
            { value: '', label: 'This channel' },
            ...props.channels
              .filter(({ id }) => id !== props.channelId)
              .map(({ id, name }) => ({ value: id as string, label: name })),
          ]}
          value={source.channelId ?? ''}
          onChange={(channelId) => {
            const { channelId: _before, ...rest } = source
            onChange(channelId === '' ? rest : { ...rest, channelId })
          }}
        />
      )
    case 'video':
      return (
        <VideoSourceField error={props.error} onChoose={(videoId) => onChange({ kind: 'video', videoId })} />
      )
    case 'airings':
      return <p className="text-sm text-muted">They are aired once, in the order in which they were on.</p>
    default:
      return <SmartQueryFields where={source.where} onChange={(where) => onChange({ ...source, where })} />
  }
}

/** A source of another kind; the query is kept between kinds that have one. */
function ofKind(kind: Source['kind'], before: Source): Source {
  const where = 'where' in before ? before.where : {}
  switch (kind) {
    case 'playlist':
      return { kind, order: 'playlist' }
    case 'video':
      return { kind, videoId: '' }
    case 'filler':
      return { kind, where: { maxDurationMs: 120_000, ...where }, order: 'shuffle' }
    case 'airings':
      return before
    case 'smart':
      return { kind, where, order: 'shuffle' }
  }
}

/** Chooses the video of a source. The current one is listed beside it, with the matching videos. */
function VideoSourceField(props: { error: string | undefined; onChoose: (videoId: string) => void }) {
  const [chosen, setChosen] = useState<Video | null>(null)
  return (
    <div className="grid gap-2">
      <VideoPicker
        chosen={chosen}
        onChoose={(video) => {
          setChosen(video)
          props.onChoose(video.id)
        }}
      />
      {props.error && (
        <p role="alert" className="text-sm font-medium">
          <span aria-hidden="true">⚠ </span>
          {props.error}
        </p>
      )}
    </div>
  )
}
