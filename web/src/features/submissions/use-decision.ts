import type { DecideSubmissionsResult } from '@looptide/contracts/http/submissions'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { showFailure } from '../admin/show-failure.ts'

/** The form of a decision about submissions. Its result is shown as a toast; `onDecided` is called after success. */
export function useDecision(options: {
  decide: () => Promise<DecideSubmissionsResult>
  /** `count`: number of changed submissions. */
  done: (count: number) => { title: string; description: string }
  failed: { title: string; text: string }
  onDecided: () => void
}) {
  return useForm({
    send: async () => {
      const { decided } = await options.decide()
      if (decided.length > 0) toast({ ...options.done(decided.length), tone: 'success' })
      else toast({ title: 'Nothing changed', description: 'Someone else has already decided.' })
      options.onDecided()
    },
    onFailure: (failure) => showFailure(failure, options.failed),
  })
}
