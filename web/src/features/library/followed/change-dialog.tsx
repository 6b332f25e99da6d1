import type { FollowedList } from '@looptide/contracts/http/followed-lists'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { Form, SubmitButton } from '../../../ui/form.tsx'
import { useForm } from '../../../ui/use-form.ts'
import { showFailure } from '../../admin/show-failure.ts'
import { changeList } from './api.ts'
import { ListFields, type ListValues, tagProblem } from './list-fields.tsx'
import { nameOf } from './list-text.ts'

/** Changes where new videos of a list go, and their tag. */
export function ChangeDialog({ list, onClose }: { list: FollowedList; onClose: () => void }) {
  const { intake, category, tag } = list
  const [values, setValues] = useState<ListValues>({ intake, category, tag })
  const form = useForm({
    check: () => tagProblem(values.tag),
    send: async () => {
      await changeList(list.id, { ...values, tag: values.tag.trim() })
      onClose()
    },
    onFailure: (failure) =>
      showFailure(failure, { title: 'Error changing the list', text: 'Please try again.' }),
  })
  return (
    <Dialog
      title={`Change ${nameOf(list)}`}
      description="Applies to videos found from now on."
      isOpen
      onClose={onClose}
      width="narrow"
    >
      <Form form={form}>
        <ListFields form={form} values={values} onChange={(change) => setValues({ ...values, ...change })} />
        <SubmitButton form={form}>Save</SubmitButton>
      </Form>
    </Dialog>
  )
}
