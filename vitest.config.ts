import { defineConfig } from 'vitest/config'

const engine = ['test/main/analysis/**/*.test.ts', 'test/evaluation/**/*.test.ts']
const long = ['test/long/**/*.test.ts']

export default defineConfig({
  test: {
    // The database is a native module, and some tests end processes: one process to a file.
    pool: 'forks',
    projects: [
      // Measured while it runs, which makes it slow: what takes a second takes ten.
      { extends: true, test: { name: 'engine', include: engine, testTimeout: 120_000 } },
      {
        extends: true,
        // Everything that is not said to be elsewhere: a new folder is run without being named here.
        test: {
          name: 'quick',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...engine, ...long],
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: { name: 'long', include: long, testTimeout: 600_000, fileParallelism: false },
      },
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
