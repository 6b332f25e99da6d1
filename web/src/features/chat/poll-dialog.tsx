import {
  MAX_POLL_ANSWERS,
  MIN_POLL_ANSWERS,
  POLL_ANSWER_MAX,
  POLL_QUESTION_MAX,
} from '@looptide/contracts/http/polls'
import { useState } from 'react'
import { api } from '../../lib/clients.ts'
import { showFailure } from '../../lib/failures.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { durationText } from './composer-rules.ts'

const DURATIONS = [30, 60, 120, 300, 900, 3600].map((seconds) => ({
  value: String(seconds),
  label: durationText(seconds),
}))

/** Only for the hint: the server compares texts as they are seen, with code that would cost the first views. */
const comparable = (text: string): string => text.trim().toLowerCase()

/** Asks a question in the chat of a channel. */
export function PollDialog({ channelId, onClose }: { channelId: string; onClose: () => void }) {
  const [question, setQuestion] = useState('')
  const [fields, setFields] = useState<readonly string[]>(['', ''])
  const [durationS, setDurationS] = useState('60')
  const answers = fields.map((answer) => answer.trim()).filter((answer) => answer !== '')
  const isRepeated = (index: number) => {
    const key = comparable(fields[index] ?? '')
    return key !== '' && fields.findIndex((field) => comparable(field) === key) < index
  }
  const isIncomplete =
    question.trim() === '' ||
    answers.length < MIN_POLL_ANSWERS ||
    fields.some((_, index) => isRepeated(index))
  const form = useForm({
    send: async () => {
      const body = { question: question.trim(), answers, durationS: Number(durationS) }
      await api.call('POST /api/channels/:id/polls', { params: { id: channelId }, body })
      onClose()
    },
    onFailure: (failure) =>
      showFailure(failure, { title: 'The poll was not started', text: 'Please try again.' }),
  })
  return (
    <Dialog
      title="Poll"
      description="Everyone who may chat has one vote. The result stays in the chat."
      isOpen
      onClose={onClose}
      width="narrow"
    >
      <Form form={form}>
        <TextField
          label="Question"
          required
          autoComplete="off"
          maxLength={POLL_QUESTION_MAX}
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
        />
        {fields.map((answer, index) => (
          <TextField
            // Answers have no other identity, and are only added at the end.
            key={index}
            label={`Answer ${index + 1}`}
            hint={index < MIN_POLL_ANSWERS ? undefined : 'Empty answers are left out.'}
            error={isRepeated(index) ? 'This answer is there already.' : undefined}
            autoComplete="off"
            maxLength={POLL_ANSWER_MAX}
            value={answer}
            onChange={(event) => setFields(fields.toSpliced(index, 1, event.target.value))}
          />
        ))}
        {fields.length < MAX_POLL_ANSWERS && (
          <Button icon="plus" className="justify-self-start" onClick={() => setFields([...fields, ''])}>
            Add an answer
          </Button>
        )}
        <SelectField label="Open for" choices={DURATIONS} value={durationS} onChange={setDurationS} />
        <DialogActions onCancel={onClose}>
          <SubmitButton form={form} busyLabel="Starting..." disabled={isIncomplete}>
            Start poll
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
