import { readUserCode } from '@looptide/contracts/user-codes'
import { useState } from 'react'
import { TextField } from '../../ui/field.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { useForm } from '../../ui/use-form.ts'

/** Asks for the code that the TV shows. `initial` is what the address contained. */
export function CodeForm({ initial, onCode }: { initial: string; onCode: (code: string) => void }) {
  const [typed, setTyped] = useState(initial)
  const form = useForm({
    check: () =>
      readUserCode(typed) === null
        ? { field: 'code', description: 'Enter the eight letters that the TV shows' }
        : undefined,
    send: async () => {
      const code = readUserCode(typed)
      if (code !== null) onCode(code)
    },
  })
  return (
    <Form form={form}>
      <TextField
        label="Code on the TV"
        hint="Open this station on the TV and choose to sign in: the TV shows eight letters."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        className="font-mono text-xl uppercase tracking-[0.12em]"
        {...form.field('code')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <SubmitButton form={form} className="min-h-12 text-base">
        Continue
      </SubmitButton>
    </Form>
  )
}
