import { toast } from '../../ui/toast.ts'

/** Viewer specification §8. */
export function welcomeBack(): void {
  toast({ title: 'Welcome back!', description: "You've successfully signed in.", tone: 'success' })
}
