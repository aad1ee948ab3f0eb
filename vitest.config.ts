import { defineConfig } from 'vitest/config'

const golden = ['test/evaluation/**/*.test.ts']
const engine = ['test/main/analysis/**/*.test.ts']
const together = ['test/integration/**/*.test.ts', 'test/faults/**/*.test.ts']
const long = ['test/long/**/*.test.ts']
const soak = ['test/soak/**/*.test.ts']

export default defineConfig({
  test: {
    // The database is a native module, and some tests end processes.
    pool: 'forks',
    // A hook starts a console, a station or a PostgreSQL; on a busy machine that takes its time.
    hookTimeout: 60_000,
    // A build machine has its moments; what fails twice has failed. A test that needed its second try is named in the report.
    retry: process.env.CI ? 1 : 0,
    projects: [
      {
        extends: true,
        // Measured while it runs, which makes it slow; the files share a process, so that the engine is loaded once.
        test: { name: 'engine', include: engine, testTimeout: 120_000, isolate: false },
      },
      // What it finds, and that it answers anything: none of which needs to be measured.
      { extends: true, test: { name: 'golden', include: golden, testTimeout: 120_000 } },
      {
        extends: true,
        // Everything that is not said to be elsewhere: a new folder is run without being named here.
        test: {
          name: 'quick',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...engine, ...golden, ...together, ...long, ...soak],
          testTimeout: 60_000,
          // Files share their process, and what they import is read once: half the time of it.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'together', include: together, testTimeout: 60_000 } },
      { extends: true, test: { name: 'long', include: long, testTimeout: 600_000, fileParallelism: false } },
      { extends: true, test: { name: 'soak', include: soak, testTimeout: 3_600_000, fileParallelism: false } },
    ],
    // What decides about a student's message must be run by its own tests, line by line and branch by branch.
    coverage: {
      provider: 'v8',
      include: ['main/analysis/**/*.ts'],
      reporter: [['text', { skipFull: true }]],
      thresholds: { statements: 100, branches: 100, functions: 100, lines: 100 },
    },
  },
})
