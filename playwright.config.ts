import { defineConfig } from '@playwright/test'
import { chromiumSwitches, findChromium } from './test/support/chromium.ts'

const executablePath = findChromium()

export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/support/demonstration.ts',
  timeout: 90_000,
  expect: { timeout: 15_000 },
  // Of every three tests one waits: for a process that starts, for a queue that was stopped.
  workers: 3,
  forbidOnly: true,
  // A build machine has its moments; what fails twice has failed. A test that needed its second try is named in the report.
  retries: process.env.CI ? 1 : 0,
  outputDir: 'test-results',
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    // Recording every test costs a fifth of the run; `-- NAME --trace on` records one.
    trace: 'on-first-retry',
    launchOptions: { args: chromiumSwitches(), ...(executablePath === null ? {} : { executablePath }) },
  },
})
