import { typedNumber } from '@looptide/contracts/typed-text'
import { useState } from 'react'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { showFailure } from '../admin/show-failure.ts'
import { channelActions } from './api.ts'
import { ChannelFields, type ChannelFormValues, channelProblem } from './channel-fields.tsx'

const EMPTY: ChannelFormValues = { name: '', description: '', position: '' }

/** Form to create a channel. Without a position it is placed last (docs/product/admin.md §5). */
export function CreateChannelForm({ channelCount }: { channelCount: number | undefined }) {
  const [values, setValues] = useState(EMPTY)

  const form = useForm({
    check: () => channelProblem(values),
    send: async () => {
      const { name } = await channelActions.create({
        name: values.name.trim(),
        description: values.description.trim() || null,
        // 0 means last. The server counts, because the list here may be loading or outdated.
        position: values.position === '' ? 0 : typedNumber(values.position),
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
