# Completion of attnscope for fish, printed by attnscope completion fish.
function __attnscope_at -a command
    set -l words (commandline -opc)
    set -l at ''
    contains -- "$words[2]" @COMMANDS@; and set at $words[2]
    test "$at" = "$command"
end
function __attnscope_first
    test (count (commandline -opc)) -eq 1
end
function __attnscope_examples
    if string match -q '*example:*' -- (commandline -ct)
        printf 'example:%s\n' @EXAMPLES@
    else if string match -q '*attnscope:*' -- (commandline -ct)
        printf 'attnscope:%s\n' @MODELS@
    else
        printf '%s\n' example: attnscope:
    end
end
@COMMAND_LINES@@PLACES@
