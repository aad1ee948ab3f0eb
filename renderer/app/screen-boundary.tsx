import { Component, type ReactNode } from 'react'
import { ErrorNotice } from '../controls/index.ts'
import { words } from '../words/index.ts'

/** A screen that cannot be drawn says so; the strip and the other screens go on. */
export class ScreenBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return <ErrorNotice error={words.app.screenFailed} onRetry={() => this.setState({ failed: false })} />
  }
}
