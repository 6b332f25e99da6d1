import { useCallback } from 'react'
import { useNavigate } from 'react-router-dom'
import { toast } from '../../ui/toast.ts'
import { useSignInPath } from './next-page.ts'

/** Returns a function that asks a visitor to sign in. `description`: what for. */
export function useAskToSignIn(description: string): () => void {
  const navigate = useNavigate()
  const signInPath = useSignInPath()
  return useCallback(
    () =>
      void toast({
        title: 'Sign In Required',
        description,
        tone: 'error',
        action: { label: 'Sign In', onPress: () => void navigate(signInPath) },
      }),
    [description, navigate, signInPath],
  )
}
