# Completion for evt and tracedump, made by evt --completion fish.
function __evt_complete
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    set -l command (string replace -r 'tracedump$' evt -- $before[1])
    for line in ($command complete (count $before) $before "$word" (commandline -op) 2> /dev/null)
        switch $line
            case :files
                __fish_complete_path "$word"
            case :commands
                complete -C "$word"
            case '*'
                echo $line
        end
    end
end
complete -c evt -f -a '(__evt_complete)'
complete -c tracedump -f -a '(__evt_complete)'
