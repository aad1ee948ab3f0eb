import { Component, type ReactNode } from 'react'
import type { PersonalError } from '../../shared/errors.ts'
import { ErrorNotice } from '../controls/index.ts'
import { words } from '../words/index.ts'

/** What cannot be drawn says so where it stands; everything around it goes on. `error` defaults to that of a whole screen. */
export class ScreenBoundary extends Component<{ children: ReactNode; error?: PersonalError }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <ErrorNotice
        inset
        error={this.props.error ?? words.app.screenFailed}
        onRetry={() => this.setState({ failed: false })}
      />
    )
  }
}
