import { defineConfig } from '@playwright/test'
import { chromiumSwitches, findChromium } from './test/support/chromium.ts'

const executablePath = findChromium()

export default defineConfig({
  testDir: 'test/e2e',
  timeout: 90_000,
  expect: { timeout: 15_000 },
  workers: 2,
  forbidOnly: true,
  outputDir: 'test-results',
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
    launchOptions: { args: chromiumSwitches(), ...(executablePath === null ? {} : { executablePath }) },
  },
})
