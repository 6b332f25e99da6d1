import { useState } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../app/paths.ts'
import { authClient } from '../../lib/clients.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { signInProblem } from './form-rules.ts'
import { useSubmit } from './use-submit.ts'

export function SignInForm() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { isBusy, submit } = useSubmit({
    failureTitle: 'Sign In Failed',
    check: () => signInProblem({ email, password }),
    send: async () => {
      await authClient.signIn(email.trim(), password)
      toast({ title: 'Welcome back!', description: "You've successfully signed in.", tone: 'success' })
    },
  })

  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" tone="primary" disabled={isBusy}>
        {isBusy ? 'Signing in...' : 'Sign In'}
      </Button>
      <Link
        to={paths.reset()}
        className="justify-self-center rounded-sm px-2 py-1 text-sm text-muted underline-offset-4 hover:text-text hover:underline"
      >
        Forgot your password?
      </Link>
    </form>
  )
}
