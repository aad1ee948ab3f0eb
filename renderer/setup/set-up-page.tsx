import { Announcer } from '../app/index.ts'
import { words } from '../words/index.ts'
import { FirstSteps } from './first-steps.tsx'
import { Page } from './page.tsx'

/** The set-up of a desk that has no data yet: nothing else is there to be shown. */
export function SetUpPage() {
  return (
    <>
      <Announcer />
      <Page title={words.setUp.title} wide>
        <FirstSteps />
      </Page>
    </>
  )
}
