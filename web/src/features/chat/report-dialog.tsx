import type { ChatMessage } from '@looptide/contracts/http/chat'
import { CASE_TEXT_MAX, type ReportReason } from '@looptide/contracts/http/chat-cases'
import { useState } from 'react'
import { api } from '../../lib/clients.ts'
import { showFailure } from '../../lib/failures.ts'
import { REPORT_LABELS } from '../../lib/report-labels.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { authorName } from './chat-rows.ts'

const REASONS = (Object.keys(REPORT_LABELS) as ReportReason[]).map((value) => ({
  value,
  label: REPORT_LABELS[value],
}))

/** Reports a message to the moderators, with a reason and an optional text. */
export function ReportDialog({ message, onClose }: { message: ChatMessage; onClose: () => void }) {
  const [reason, setReason] = useState<ReportReason>('spam')
  const [text, setText] = useState('')
  const form = useForm({
    send: async () => {
      await api.call('POST /api/chat/channels/:id/messages/:messageId/report', {
        params: { id: message.channelId, messageId: message.id },
        body: { reason, ...(text.trim() !== '' && { text: text.trim() }) },
      })
      toast({
        title: 'Message reported',
        description: 'You are notified when moderators have decided.',
        tone: 'success',
      })
      onClose()
    },
    onFailure: (failure) =>
      showFailure(failure, { title: 'Not reported', text: 'The message could not be reported.' }),
  })
  return (
    <Dialog title={`Report ${authorName(message)}`} isOpen onClose={onClose} width="narrow">
      <Form form={form} className="grid gap-5">
        <blockquote
          dir="auto"
          className="line-clamp-4 border-l-2 border-line pl-3 text-sm [overflow-wrap:anywhere] text-muted"
        >
          {message.message}
        </blockquote>
        <SelectField label="Reason" choices={REASONS} value={reason} onChange={setReason} />
        <TextArea
          label="What should moderators know? (optional)"
          rows={3}
          maxLength={CASE_TEXT_MAX}
          dir="auto"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <p className="text-sm text-muted">The author does not learn who reported the message.</p>
        <DialogActions onCancel={onClose}>
          <SubmitButton form={form} busyLabel="Reporting...">
            Report
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
