/** What a line is in a stack trace. */
export const FRAME = {
  none: 0,
  /** A frame of a runtime or a framework. */
  foreign: 1,
  own: 2,
  /** Says more of the frame above: its source line, its place, a lock. */
  detail: 3,
  /** The first line of a frame whose second one says where it is: `main.run(0xc000)`, `  3: harbour::berth`. */
  half: 4,
} as const;

/** Packages of runtimes and frameworks of the JVM, .NET, Rust, C and the kernel, by the beginning of a function's name. */
const FOREIGN_NAME = new RegExp(
  [
    // the JVM and Android
    '^(?:app//|java\\.base/|[\\w.]+@[\\w.]*/)?(?:java|javax|jdk|sun|com\\.sun|kotlin|kotlinx|scala|akka|groovy|clojure|jakarta|android|androidx|dalvik|libcore|reactor|rx|okhttp3)\\.',
    '^(?:[\\w.-]*//?)?org\\.(?:springframework|apache|junit|eclipse|hibernate|jboss|gradle|codehaus|mockito|aspectj|slf4j|testng|opentest4j|hamcrest|assertj|glassfish|jetbrains)\\.',
    '^io\\.(?:netty|undertow|projectreactor|quarkus|micronaut|vertx|grpc|reactivex)\\.',
    '^(?:com\\.(?:zaxxer|fasterxml|google\\.(?:common|inject|gson|protobuf)|mysql|android|intellij|ibm)|ch\\.qos|net\\.bytebuddy|worker\\.org)\\.',
    // .NET
    '^(?:System|Microsoft|Xunit|NUnit|MS|Castle|Moq|Newtonsoft|FluentAssertions)\\.',
    // Go: the standard library
    '^(?:created by )?(?:runtime|net|internal|sync|syscall|os|io|bufio|testing|reflect|context|time|database|encoding|crypto|log|fmt|bytes|strings|sort|golang\\.org/x|google\\.golang\\.org)[./][\\w/.(*)-]*',
    // Rust
    '^<?(?:core|std|alloc|tokio|futures\\w*|hyper|rayon\\w*|test|panic_unwind|backtrace)::|^(?:rust_begin_unwind|__rust\\w+|rust_panic)\\b',
    // C and C++
    '^(?:std::|__gnu_cxx|operator (?:new|delete)|__libc_\\w+|_start|start_thread|clone3?|__GI_\\w+|raise|abort|gsignal|__interceptor\\w*|__asan\\w*|__tsan\\w*|__sanitizer\\w*|__cxa\\w*|malloc|free|calloc|realloc|poll|ppoll|epoll_wait|select|nanosleep|futex\\w*|__?pthread_\\w+|pthread_\\w+|__lll\\w+|read|recv\\w*|accept\\w*|syscall|g_main_\\w+|\\?\\?|\\(<unknown module>\\))',
    // the kernel
    '^(?:_{2,4})?(?:schedule\\w*|context_switch|entry_\\w+|do_syscall\\w*|do_\\w*fast_syscall\\w*|ret_from_fork\\w*|kthread|worker_thread|process_one_work|dump_stack\\w*|show_stack\\w*|warn\\w*|report_bug|handle_bug|asm_\\w+|exc_\\w+|nmi_\\w+|panic|die|oops_\\w+|no_context|page_fault\\w*|x64_sys_\\w+|task_work_run|exit_to_\\w+|mutex_lock[\\w.]*|down_\\w+|fput|do_exit|do_group_exit|get_signal|vfs_\\w+|ksys_\\w+|x64_sys_\\w+|do_\\w*fault\\w*|show_regs|die)[\\w.]*\\+0x',
  ].join('|'),
);

/** Where the code of runtimes and installed packages lies. */
const FOREIGN_PATH =
  /site-packages|dist-packages|\/lib\/python\d|<frozen|node_modules|node:|\(internal\/|\binternal\/(?:process|modules|timers)|<anonymous>\)?$|\(native\)|native code|bun:|ext:|\/rustc\/|\.cargo\/registry|\/go\/(?:\d+\/)?src\/|\/pkg\/mod\/|\/vendor\/|\/gems\/|\/lib\/ruby\/|<internal:|\/usr\/(?:lib|include)\/|\/lib\/x86_64|\blib(?:c|pthread|stdc\+\+)\.so|\/glibc|sanitizer_common|[\\/]Xcode\.app|\(ext\)|\b(?:elixir|stdlib|phoenix|plug|ecto|kernel) [\d.]+\)/;

/** Lines that are a whole frame; what is caught is the function or the place that tells whose it is. */
const FRAMES: readonly RegExp[] = [
  // JVM, JavaScript, .NET
  /^\s+at (?!0x)(?:async |new )?(\S.*)$/,
  // Firefox and Safari
  /^\s*[^@]{0,200}@((?:resource|chrome|https?|file|moz-extension):\/\/\S+:\d+:\d+)$/,
  // Python, and pytest's short form
  /^\s*(?:\| +)*File "([^"]+)", line \d+/,
  /^(\S+\.py):\d+: in \S/,
  // sanitizers, gdb, PHP: `#0 0x7f in main src/a.c:3`
  /^\s*#\d+:?\s+(?:0x[0-9a-f]+ )?(?:in )?(\S.*)$/,
  // valgrind
  /^==\d+==\s+(?:at|by) 0x[0-9A-F]+: (\S.*)$/,
  // the kernel
  /^\s*(?:\[<[0-9a-f]+>\] |\? )*([\w.]+\+0x[0-9a-f]+\/0x[0-9a-f]+.*)$/,
  // Ruby, Elixir
  /^\s*from (\S+:\d+:in .*)$/,
  /^\s+(\(\w+ [\d.]+\) \S+:\d+: .*)$/,
  // macOS
  /^\d+ {2,}(\S+ +0x[0-9a-f]+ .*)$/,
];

const DETAIL =
  /^\t\/\S+\.(?:go|s|c):\d+|^\s+at \/?\S+:\d+(?::\d+)?$|^\s*- (?:locked|None|eliminated|<0x)|^\s*\.\.\. \d+ (?:more|common)|^\s*\^[~^]*\s*$|^\s*~+\^*~*\s*$/;

const HALF =
  /^(?:created by \S|[A-Za-z_][\w./%*(){}[\]$-]*\.[\w*()[\]]+\(.*\)$| +\d+: +(?:0x[0-9a-f]+ - )?\S)/;

/** What a line, without what logs write before it, is in a stack trace: see `FRAME`. */
export function frameOf(text: string): number {
  if (DETAIL.test(text)) return FRAME.detail;
  for (const pattern of FRAMES) {
    const match = pattern.exec(text);
    if (match !== null) return isForeign(match[1]!) ? FRAME.foreign : FRAME.own;
  }
  return HALF.test(text) ? FRAME.half : FRAME.none;
}

/** Is a function, or the place of a frame, one of a runtime or framework? */
export function isForeign(text: string): boolean {
  return FOREIGN_NAME.test(text.replace(/^\s*(?:\d+: +)?(?:0x[0-9a-f]+ - )?/, '')) || FOREIGN_PATH.test(text);
}
