/** What the environment and the command line say, read once, in words of the product. */

export interface Configuration {
  /** `demo`: the demonstration school (throw-away key, data made anew). `district`: a queue is configured. */
  mode: 'demo' | 'district'
  /** True when the demonstration school runs, on the desk's own queue or beside a configured one. */
  demo: boolean
  /** Folder of this installation's data. The demonstration school keeps to the folder `demo` inside it. */
  dataDir: string
  queue: {
    /** Null = the desk's own queue, in this process. */
    eventsQueueUrl: string | null
    acksQueueUrl: string | null
    eventsTopicArn: string | null
    endpoint: string | null
    region: string
  }
  /** From PSYFLO_PASSPHRASE; null = ask on screen. */
  passphrase: string | null
  signInToken: string | null
  jwtSecret: string | null
  jwksUrl: string | null
  schoolId: string | null
  ladder: 'local' | 'station' | 'off'
  /** Names of settings that the environment decides, for the Settings screen. */
  fromEnvironment: string[]
}
