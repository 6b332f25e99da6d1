import type { Channel } from '@looptide/contracts/http/channels'
import type { ChannelLoop } from '@looptide/contracts/http/loops'
import { textKey } from '@looptide/contracts/text'
import { typedNumber } from '@looptide/contracts/typed-text'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { showFailure, useFailureToast } from '../../lib/failures.ts'
import { paths } from '../../lib/paths.ts'
import { ChannelLogo } from '../../ui/channel-logo.tsx'
import { classNames } from '../../ui/class-names.ts'
import { TextField } from '../../ui/field.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { ShortLoopWarning, useShortLoops } from '../admin/short-loops.tsx'
import { STATUS_LABELS } from '../admin/status-badge.tsx'
import { useChannels } from '../admin/use-channels.ts'
import { channelActions } from './api.ts'
import { ChannelActions } from './channel-actions.tsx'
import { ChannelFields, type ChannelFormValues, channelProblem } from './channel-fields.tsx'

/** Number of channels from which a search field is shown. */
const SEARCH_FROM = 9

/** Channel Manager: create, edit, activate, deactivate, copy and delete channels. */
export function ChannelManager() {
  const { data, error, mutate } = useChannels()
  const hasFailed = Boolean(error && !data)
  useFailureToast(hasFailed ? error : undefined, { title: 'Error', text: 'Failed to fetch channels' })
  return (
    <section aria-labelledby="channel-manager" className="@container grid min-w-0 gap-4">
      <h2 id="channel-manager" className="text-xl font-semibold">
        Channel Manager
      </h2>
      <div className="grid items-start gap-6 @4xl:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
        {/* Without room beside it, the list comes first. */}
        <div className="@max-4xl:order-last">
          <CreateChannelForm channelCount={data?.items.length} />
        </div>
        {data ? (
          <ChannelRows channels={data.items} />
        ) : hasFailed ? (
          <ErrorNotice text="Failed to fetch channels" onRetry={() => void mutate()} />
        ) : (
          <div role="status" aria-label="Loading channels" className="grid gap-2">
            <Skeleton className="h-20" />
            <Skeleton className="h-20" />
            <Skeleton className="h-20" />
          </div>
        )}
      </div>
    </section>
  )
}

function ChannelRows({ channels }: { channels: readonly Channel[] }) {
  const [text, setText] = useState('')
  const shortLoops = useShortLoops()
  const query = textKey(text)
  const found = channels.filter(({ name }) => name.toLowerCase().includes(query))
  if (channels.length === 0) {
    return <EmptyNotice title="No channels yet">Enter a name to create the first one.</EmptyNotice>
  }
  return (
    <div className="grid min-w-0 gap-3">
      {channels.length >= SEARCH_FROM && (
        <TextField
          label="Find a channel"
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {found.length === 0 ? (
        <EmptyNotice title="No matching channels" />
      ) : (
        <ul
          aria-label="Channels"
          className="max-h-112 divide-y divide-line overflow-y-auto overscroll-contain rounded-lg border border-line/70 bg-panel"
        >
          {found.map((channel) => (
            <ChannelRow
              key={channel.id}
              channel={channel}
              channels={channels}
              shortLoop={shortLoops.get(channel.id)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

const EMPTY: ChannelFormValues = { name: '', description: '', position: '', logoUrl: null }

/** Form to create a channel. Without a position it is placed last (docs/product/admin.md §5). */
function CreateChannelForm({ channelCount }: { channelCount: number | undefined }) {
  const [values, setValues] = useState(EMPTY)

  const form = useForm({
    check: () => channelProblem(values),
    send: async () => {
      const { name } = await channelActions.create({
        name: values.name.trim(),
        description: values.description.trim() || null,
        // 0 means last. The server counts, because the list here may be loading or outdated.
        position: values.position === '' ? 0 : typedNumber(values.position),
        ...(values.logoUrl !== null && { logoUrl: values.logoUrl }),
      })
      toast({ title: 'Channel Created', description: name, tone: 'success' })
      setValues(EMPTY)
    },
    onFailure: (failure) =>
      showFailure(failure, { title: 'Failed to create channel.', text: 'Please try again.' }),
  })

  return (
    <Form form={form} className="grid gap-4 rounded-lg border border-line/70 bg-panel p-5">
      <h3 className="font-semibold">New channel</h3>
      <ChannelFields
        form={form}
        values={values}
        placeholder={channelCount === undefined ? undefined : String(channelCount + 1)}
        onChange={setValues}
      />
      <SubmitButton form={form} icon="plus" disabled={values.name.trim() === ''}>
        Create Channel
      </SubmitButton>
    </Form>
  )
}

/**
 * A channel with its actions. `channels` are all channels, to find the one that replaces this one when it is
 * deactivated. `shortLoop` is the channel's loop if it is shorter than an hour.
 */
function ChannelRow(props: {
  channel: Channel
  channels: readonly Channel[]
  shortLoop: ChannelLoop | undefined
}) {
  const { channel, shortLoop } = props
  const { name, description, position, isActive, status } = channel
  return (
    <li aria-label={name} className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
      <span className="w-8 shrink-0 text-right text-sm text-muted tabular-nums" title="Position">
        {position}
      </span>
      <ChannelLogo name={name} url={channel.logoUrl} />
      <div className="grid min-w-48 flex-1 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link to={paths.channel(channel.id)} className="font-semibold break-words hover:underline">
            {name}
          </Link>
          <span
            className={classNames(
              'rounded-full border px-2.5 py-0.5 text-xs font-semibold',
              isActive ? 'border-accent text-text' : 'border-line text-muted',
            )}
          >
            {isActive ? '● Active' : '○ Inactive'}
          </span>
          <span className="text-sm text-muted">{STATUS_LABELS[status]}</span>
        </p>
        {description && <p className="line-clamp-2 text-sm text-muted">{description}</p>}
        {shortLoop && <ShortLoopWarning loop={shortLoop} />}
      </div>
      <ChannelActions channel={channel} channels={props.channels} />
    </li>
  )
}
