import { Component, type ReactNode } from 'react'
import { toast } from '../../ui/toast.ts'
import { reloadForNewRelease } from './new-release.ts'

/** Keeps the page if a part of it, such as a dialog, fails to load or throws: shows a toast, and `onFailure` closes the part. */
export class PartBoundary extends Component<
  { onFailure: () => void; children: ReactNode },
  { hasFailed: boolean }
> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch() {
    toast({ title: 'Error', description: 'This could not be opened. Please try again.', tone: 'error' })
    this.props.onFailure()
    reloadForNewRelease()
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children
  }
}
