import { CHAT_MESSAGE_MAX } from '@looptide/contracts/http/chat'
import type { WordEntry, WordListTrial } from '@looptide/contracts/http/word-list'
import { useState } from 'react'
import { ApiError } from '../../../lib/api/api-error.ts'
import { api } from '../../../lib/clients.ts'
import { failureText } from '../../../lib/failures.ts'
import { TextField } from '../../../ui/field.tsx'
import { Form, SubmitButton } from '../../../ui/form.tsx'
import { useForm } from '../../../ui/use-form.ts'

const OUTCOMES: Record<WordListTrial['outcome'], string> = {
  post: 'This message would be posted.',
  mask: 'This message would be posted with asterisks:',
  hold: 'This message would wait for a moderator.',
  refuse: 'This message would be refused.',
}

/** Says what would happen to a message with the entries as they are now, saved or not. */
export function TryText({ entries, lineOf }: { entries: WordEntry[]; lineOf: readonly number[] }) {
  const [message, setMessage] = useState('')
  const [trial, setTrial] = useState<WordListTrial>()
  const form = useForm({
    send: async () =>
      setTrial(await api.call('POST /api/chat/word-list/try', { body: { entries, message } })),
    onFailure: (failure, point) =>
      point({
        field: 'message',
        description: wrongLine(failure, lineOf) ?? failureText(failure, 'The text could not be tried.'),
      }),
  })
  return (
    <Form form={form} className="grid gap-3 border-t border-line pt-5">
      <h3 className="font-semibold">Try a text</h3>
      <div className="flex flex-wrap items-end gap-2 *:first:min-w-60 *:first:flex-1">
        <TextField
          label="Message"
          maxLength={CHAT_MESSAGE_MAX}
          autoComplete="off"
          dir="auto"
          {...form.field('message')}
          value={message}
          onChange={(event) => {
            setMessage(event.target.value)
            setTrial(undefined)
          }}
        />
        <SubmitButton form={form} tone="quiet" disabled={message.trim() === ''}>
          Try
        </SubmitButton>
      </div>
      <div role="status" className="text-sm [overflow-wrap:anywhere]">
        {trial && (
          <>
            <p className="font-medium">{OUTCOMES[trial.outcome]}</p>
            {trial.outcome === 'mask' && <p dir="auto">{trial.message}</p>}
            {trial.matches.length > 0 && (
              <p className="text-muted">{`Found by line ${trial.matches.map((index) => lineOf[index]).join(', ')}.`}</p>
            )}
          </>
        )}
      </div>
    </Form>
  )
}

/** The first wrong entry that the server has found, with its line; undefined for another failure. */
export function wrongLine(failure: unknown, lineOf: readonly number[]): string | undefined {
  const [problem] = failure instanceof ApiError ? (failure.refusal.problems ?? []) : []
  if (problem === undefined) return undefined
  return `Line ${lineOf[Number(problem.path.split('/')[2])]}: ${problem.message}`
}
