import { Component, type ReactNode } from 'react'
import { toast } from '../../ui/toast.ts'
import { renewFailedParts } from './failed-parts.ts'
import { reloadForNewRelease } from './new-release.ts'

interface Props {
  /** Closes the part after a failure, which a toast reports. Without it the part is tried again on `online`. */
  onFailure?: () => void
  children: ReactNode
}

/**
 * Keeps the page if a part of it, such as a dialog, fails to load or throws. The part is loaded again when it is opened
 * again.
 */
export class PartBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch() {
    renewFailedParts()
    reloadForNewRelease()
    if (!this.props.onFailure) {
      window.addEventListener('online', this.#retry, { once: true })
      return
    }
    toast({ title: 'Error', description: 'This could not be opened. Please try again.', tone: 'error' })
    this.props.onFailure()
  }

  override componentWillUnmount() {
    window.removeEventListener('online', this.#retry)
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children
  }

  readonly #retry = () => this.setState({ hasFailed: false })
}
